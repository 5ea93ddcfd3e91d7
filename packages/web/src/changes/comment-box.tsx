// A comment on lines that is not sent yet: a field while it is written, else its text.
import { commentPlace } from '@roost/core/display/review';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { MOST_COMMENT } from '@roost/protocol/api/changes';
import { useEffect, useRef } from 'react';
import { isTouch } from '../device/is-touch.ts';
import { useAction } from '../keys/use-action.ts';
import { Button } from '../parts/button.tsx';
import styles from './diff.module.css';
import type { DraftComment } from './drafts.ts';
import type { DraftActions } from './use-drafts.ts';

export type CommentActions = Pick<DraftActions, 'change' | 'remove'>;

type CommentBoxProps = {
	readonly comment: DraftComment;
	readonly actions: CommentActions;
	/** Why it is not below its line. */
	readonly note?: string;
};

export function CommentBox({ comment, actions, note }: CommentBoxProps) {
	const { id, path, side, line, endLine, quote, text, isOpen } = comment;
	const place = sanitiseLine(commentPlace({ path, side, line, end_line: endLine }));
	return (
		<div className={styles.comment} data-comment={note === undefined ? 'here' : 'apart'}>
			{note === undefined ? null : (
				<>
					<p className={styles.apart}>
						<code>{place}</code> {note}
					</p>
					<pre className={styles.quote}>{sanitiseBlock(quote)}</pre>
				</>
			)}
			{isOpen ? (
				<CommentField comment={comment} actions={actions} place={place} />
			) : (
				<>
					<p className={styles.words}>{sanitiseBlock(text)}</p>
					<div className={styles.tools}>
						<Button look="quiet" onClick={() => actions.change(id, { isOpen: true })} aria-label={`Edit the comment on ${place}`}>
							Edit
						</Button>
						<Button look="quiet" onClick={() => actions.remove(id)} aria-label={`Delete the comment on ${place}`}>
							Delete
						</Button>
					</div>
				</>
			)}
		</div>
	);
}

function CommentField({ comment, actions, place }: { comment: DraftComment; actions: CommentActions; place: string }) {
	const { id, text } = comment;
	const field = useRef<HTMLTextAreaElement>(null);
	const isEmpty = !/\S/.test(text);
	const save = () => (isEmpty ? actions.remove(id) : actions.change(id, { isOpen: false }));
	useAction('send', save);
	useAction('back', save);
	// A reload may open several: only a new one takes the focus. On touch it is only shown, because the tap may have hit another line.
	useEffect(() => {
		if (field.current?.value !== '') return;
		if (isTouch()) field.current.closest('[data-comment]')?.scrollIntoView({ block: 'nearest' });
		else field.current.focus();
	}, []);
	return (
		<>
			<textarea
				ref={field}
				aria-label={`Comment on ${place}`}
				placeholder="Comment on this line"
				maxLength={MOST_COMMENT}
				value={text}
				onChange={({ target }) => actions.change(id, { text: target.value })}
			/>
			<div className={styles.tools}>
				<Button look="primary" onClick={save} disabled={isEmpty}>
					Save
				</Button>
				<Button onClick={() => actions.remove(id)}>{isEmpty ? 'Cancel' : 'Delete'}</Button>
			</div>
		</>
	);
}
