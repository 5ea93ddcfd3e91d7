// The states of something that is read: nothing for a moment, then a line; a failure with a way to try again.
import { useEffect, useState } from 'react';
import type { Read } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import styles from './parts.module.css';

/** A line that comes and goes at once would only flicker. */
const QUIET_MS = 400;

export function Reading() {
	const { offline } = useWorld();
	const [isSlow, setSlow] = useState(false);
	useEffect(() => {
		const timer = setTimeout(() => setSlow(true), QUIET_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<p className={styles.dim} role="status" data-state="reading">
			{isSlow && offline === null ? 'Loading…' : ''}
		</p>
	);
}

/** For a read without a value: still on its way, or failed. */
export function NotRead({ problem, again }: Pick<Read<unknown>, 'problem' | 'again'>) {
	if (problem === undefined) return <Reading />;
	return (
		<div className={styles.failed} role="alert">
			<p>{problem}</p>
			<button type="button" onClick={again}>
				Retry
			</button>
		</div>
	);
}
