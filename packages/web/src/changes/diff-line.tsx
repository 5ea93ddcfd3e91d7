// One row of a diff: its numbers, which open a comment, and its text with tokens as classes.
import type { DiffLine } from '@roost/protocol/api/changes';
import { memo, type ReactNode } from 'react';
import styles from './diff.module.css';
import type { Token, TokenKind } from './highlight-messages.ts';
import { placeOf } from './place-comments.ts';
import { shownText } from './use-tokens.ts';

const MARKS = { context: ' ', added: '+', removed: '−' } as const;

type DiffLineProps = {
	readonly row: DiffLine;
	readonly at: number;
	readonly tokens: readonly Token[] | undefined;
	/** It can be reached with Tab. */
	readonly isStop: boolean;
	readonly canComment: boolean;
	/** `isRange`: up to this line, from the one before. */
	onComment(at: number, isRange: boolean): void;
	onFocus(at: number): void;
};

export const DiffLineView = memo(function DiffLineView(props: DiffLineProps) {
	const { row, at, isStop, canComment } = props;
	const { line } = placeOf(row);
	const comment = (isRange: boolean) => (canComment ? props.onComment(at, isRange) : undefined);

	return (
		<div className={styles.line} data-type={row.type}>
			<button
				type="button"
				className={styles.numbers}
				data-line={at}
				tabIndex={isStop ? 0 : -1}
				aria-label={`${canComment ? 'Comment on' : ''} ${row.type === 'removed' ? 'removed ' : ''}line ${line}`.trim()}
				onClick={({ shiftKey }) => comment(shiftKey)}
				onFocus={() => props.onFocus(at)}
			>
				<span data-number={row.old} />
				<span data-number={row.new} />
			</button>
			<span className={styles.mark}>{MARKS[row.type]}</span>
			<code className={styles.code}>
				{toSpans(shownText(row), props.tokens ?? [])}
				{row.isCut ? <span className={styles.hint}> … line cut</span> : null}
				{row.isUnended ? <span className={styles.hint}> no newline at end of file</span> : null}
			</code>
		</div>
	);
});

const CLASSES: Readonly<Record<TokenKind, string | undefined>> = {
	comment: styles.isComment,
	string: styles.isString,
	number: styles.isNumber,
	keyword: styles.isKeyword,
	name: styles.isName,
	type: styles.isType,
};

function toSpans(text: string, tokens: readonly Token[]): ReactNode {
	if (tokens.length === 0) return text;
	const parts: ReactNode[] = [];
	let at = 0;
	for (const { start, end, kind } of tokens) {
		parts.push(text.slice(at, start));
		parts.push(
			<span key={start} className={CLASSES[kind]}>
				{text.slice(start, end)}
			</span>,
		);
		at = end;
	}
	return [...parts, text.slice(at)];
}
