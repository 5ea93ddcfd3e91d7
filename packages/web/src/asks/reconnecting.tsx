// In a dialog, which covers the bar of the page: why no answer is possible, or since when the connection is lost.
import { useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';

/** `off`: why no answer is possible. */
export function Reconnecting({ off }: { off: string | undefined }) {
	const { connection } = useWorld();
	if (off === undefined && connection.state !== 'reconnecting') return null;
	// The stream counts from the start of the page, because a clock may be changed.
	const since = new Date(performance.timeOrigin + connection.since);
	return (
		<p className={styles.reconnecting} role="status">
			{off ?? `Reconnecting since ${since.toLocaleTimeString()}. Answers are sent when the runner is back.`}
		</p>
	);
}
