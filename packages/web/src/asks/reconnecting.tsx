// Without connection: since when. What is shown stays, and answers are kept.
import { useWorld } from '../data/use-world.ts';
import styles from './asks.module.css';

export function Reconnecting() {
	const { connection } = useWorld();
	if (connection.state !== 'reconnecting') return null;
	// The stream counts from the start of the page, because a clock may be changed.
	const since = new Date(performance.timeOrigin + connection.since);
	return (
		<p className={styles.reconnecting} role="status">
			Reconnecting since {since.toLocaleTimeString()}. Answers are sent when the runner is back.
		</p>
	);
}
