// The field that searches a feed: `/` opens it, Enter and `n` go to the next hit upwards, `N` goes back; Escape stops or closes it.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { assertNever } from '@roost/protocol/assert-never';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../keys/use-action.ts';
import styles from './feed.module.css';
import type { FeedSearching } from './use-feed-search.ts';

type FeedSearchProps = {
	readonly search: FeedSearching;
	/** How many events were read, and how many there are. */
	readonly read: number;
	readonly total: number;
	onClose(): void;
};

export function FeedSearch({ search, read, total, onClose }: FeedSearchProps) {
	const [words, setWords] = useState('');
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.focus(), []);
	const isReading = search.outcome.state === 'reading';
	const leave = isReading ? search.stop : onClose;
	const older = () => void search.go(words, -1);
	const newer = () => void search.go(words, 1);
	useAction('nextHit', older);
	useAction('previousHit', newer);
	useAction('back', leave);
	return (
		<search className={styles.search}>
			<input
				type="text"
				aria-label="Search this feed"
				placeholder="Search this feed"
				ref={field}
				value={words}
				onChange={({ target }) => setWords(target.value)}
				onKeyDown={({ key, shiftKey }) => {
					if (key === 'Enter') shiftKey ? newer() : older();
				}}
			/>
			<button type="button" onClick={older}>
				Older
			</button>
			<button type="button" onClick={newer}>
				Newer
			</button>
			<button type="button" onClick={leave}>
				{isReading ? 'Stop' : 'Close'}
			</button>
			<p role="status">
				<Outcome {...{ search, read, total, words }} />
			</p>
		</search>
	);
}

function Outcome({ search: { outcome }, read, total, words }: Omit<FeedSearchProps, 'onClose'> & { words: string }) {
	switch (outcome.state) {
		case 'ready':
			return null;
		case 'reading':
			return read < total
				? `Searching older events… ${read.toLocaleString()} of ${total.toLocaleString()}`
				: 'Searching the session that this one continues…';
		case 'missing':
			return (
				<>
					No {outcome.step === -1 ? 'older' : 'newer'} match in titles and messages.{' '}
					<Link href={`/search?q=${encodeURIComponent(words)}`}>Search everything</Link>
				</>
			);
		case 'failed':
			return `Older events could not be read: ${sanitiseLine(outcome.why)}`;
		default:
			return assertNever(outcome);
	}
}
