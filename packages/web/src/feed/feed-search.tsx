// Searches the rows that were read: `/` opens the field, `n` and `N` go from hit to hit, Escape closes it.
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../keys/use-action.ts';
import styles from './feed.module.css';

type FeedSearchProps = {
	/** Selects the next row with these words in this direction; false if there is none. */
	onStep(words: string, step: 1 | -1): boolean;
	onClose(): void;
};

export function FeedSearch({ onStep, onClose }: FeedSearchProps) {
	const [words, setWords] = useState('');
	const [isMissing, setMissing] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.focus(), []);
	const step = (by: 1 | -1) => setMissing(words !== '' && !onStep(words, by));
	useAction('nextHit', () => step(1));
	useAction('previousHit', () => step(-1));
	useAction('back', onClose);
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
					if (key === 'Enter') step(shiftKey ? 1 : -1);
					if (key === 'Escape') onClose();
				}}
			/>
			<button type="button" onClick={() => step(-1)}>
				Older
			</button>
			<button type="button" onClick={() => step(1)}>
				Newer
			</button>
			<button type="button" onClick={onClose}>
				Close
			</button>
			<p role="status">
				{isMissing ? (
					<>
						No further match in what was read. <Link href={`/search?q=${encodeURIComponent(words)}`}>Search all events</Link>
					</>
				) : null}
			</p>
		</search>
	);
}
