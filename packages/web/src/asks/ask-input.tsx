// The whole input of a call: a command, a diff, or its fields. Nothing is cut.

import type { DiffLine, Hunk } from '@roost/core/display/line-diff';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { editOf } from '@roost/core/display/tools/edits';
import { textAt } from '@roost/core/display/tools/fields';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { AskRow } from '@roost/protocol/ask';
import { memo } from 'react';
import styles from './asks.module.css';

type Shown = Pick<AskRow, 'tool' | 'input'> & { file?: AskDetail['file'] };

/** Remembered by request: the page renders every second, and the diff of a large edit is not free. */
export const AskInput = memo(function AskInput({ ask }: { ask: Shown }) {
	const command = textAt(ask.input, 'command');
	const before = ask.file?.state === 'text' ? ask.file.text : undefined;
	const edit = editOf(ask.tool, ask.input, undefined, before);
	const rest = Object.entries(ask.input).filter(
		([name]) => !(command !== undefined && name === 'command') && !edit?.shown.includes(name),
	);
	return (
		<div className={styles.input}>
			{command === undefined ? null : <pre data-part="command">{sanitiseBlock(command)}</pre>}
			{edit ? (
				<>
					<p className={styles.path}>
						{sanitiseLine(textAt(ask.input, 'file_path') ?? textAt(ask.input, 'notebook_path') ?? '')}
					</p>
					<Diff hunks={edit.hunks} />
				</>
			) : null}
			{rest.length === 0 ? null : (
				<dl className={styles.fields}>
					{rest.map(([name, value]) => (
						<div key={name}>
							<dt>{sanitiseLine(name)}</dt>
							<dd>
								<pre>{sanitiseBlock(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>
							</dd>
						</div>
					))}
				</dl>
			)}
		</div>
	);
});

function Diff({ hunks }: { hunks: readonly Hunk[] }) {
	const lines = hunks.flatMap((hunk, part) => hunk.map((line, at) => ({ line, key: `${part}.${at}` })));
	return (
		<div className={styles.diff}>
			{lines.map(({ line, key }) => (
				<Line key={key} line={line} />
			))}
		</div>
	);
}

const KINDS = { ' ': 'same', '-': 'removed', '+': 'added' } as const;

function Line({ line: { sign, text, number } }: { line: DiffLine }) {
	return (
		<div className={styles.line} data-kind={KINDS[sign]}>
			<span className={styles.number}>{number}</span>
			<span className={styles.sign}>{sign}</span>
			<code>{sanitiseLine(text)}</code>
		</div>
	);
}
