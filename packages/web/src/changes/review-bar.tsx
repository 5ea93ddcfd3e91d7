// Below the files: the summary of the review, and the button that sends it as one prompt.
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { MOST_COMMENT } from '@roost/protocol/api/changes';
import type { Since } from '@roost/protocol/feed/review';
import type { SessionId } from '@roost/protocol/ids';
import { useState } from 'react';
import { Link } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { Button } from '../parts/button.tsx';
import styles from './changes.module.css';
import { type Drafts, writtenIn } from './drafts.ts';
import type { DraftActions } from './use-drafts.ts';

type ReviewBarProps = {
	readonly id: SessionId;
	readonly since: Since;
	readonly drafts: Drafts & DraftActions;
	/** Why the session takes no prompts. */
	readonly whyNot: string | undefined;
	/** Lines may have changed: the files are read again. */
	onRefused(): void;
};

type Outcome = { readonly type: 'sent' | 'failed'; readonly words: string };

export function ReviewBar({ id, since, drafts, whyNot, onRefused }: ReviewBarProps) {
	const { api } = useConnected();
	const [outcome, setOutcome] = useState<Outcome | undefined>(undefined);
	const [isSending, setSending] = useState(false);
	const written = writtenIn(drafts);
	const isEmpty = written.length === 0 && !/\S/.test(drafts.summary);

	async function send(): Promise<void> {
		setSending(true);
		const comments = written.map(({ path, side, line, endLine, lineHash, text }) => ({
			path,
			side,
			line,
			endLine,
			lineHash,
			text,
		}));
		const reply = await api.changes.review({ id, since, comments, summary: drafts.summary, commandId: drafts.takeCommandId() });
		setSending(false);
		if (reply.ok) {
			drafts.forget(written, drafts.summary);
			setOutcome({
				type: 'sent',
				words: reply.value.queued ? 'Review queued. The agent gets it after its run.' : 'Review sent.',
			});
			return;
		}
		setOutcome({ type: 'failed', words: reply.error.message });
		// Without an answer the same review may have arrived: it is sent with the same id.
		if (reply.error.code !== 'cannot_start') drafts.settle();
		onRefused();
	}

	return (
		<section className={styles.review} aria-label="Review">
			{outcome ? <OutcomeLine id={id} outcome={outcome} /> : null}
			{whyNot === undefined ? (
				<>
					<textarea
						aria-label="Summary of the review"
						placeholder="Summary (optional)"
						maxLength={MOST_COMMENT}
						value={drafts.summary}
						onChange={({ target }) => drafts.summarise(target.value)}
					/>
					<div className={styles.sending}>
						<span>{plural(written.length, 'comment')}</span>
						<Button look="primary" disabled={isEmpty || isSending} onClick={() => void send()}>
							{isSending ? 'Sending…' : 'Send review'}
						</Button>
					</div>
				</>
			) : (
				<p className={styles.note}>{sanitiseLine(whyNot)}</p>
			)}
		</section>
	);
}

function OutcomeLine({ id, outcome: { type, words } }: { id: SessionId; outcome: Outcome }) {
	if (type === 'failed')
		return (
			<p role="alert" className={styles.failed}>
				{sanitiseLine(words)}
			</p>
		);
	return (
		<p role="status" className={styles.sent}>
			{words} <Link href={`/s/${id}`}>Open the feed</Link>
		</p>
	);
}
