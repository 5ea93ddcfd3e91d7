// Sessions that failed, ended or finished while nobody looked, newest first.
import { age } from '@roost/core/display/age';
import { money } from '@roost/core/display/amounts';
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { SessionTile } from '@roost/protocol/session-row';
import { Link } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { type Stop, stopOf, unseenOf } from './seen.ts';
import styles from './since.module.css';
import { dismissAll, useSeen } from './use-seen.ts';

const SIGNS: Readonly<Record<Stop, string>> = { failed: '✗', interrupted: '✗', ended: '○', finished: '✓' };

export function SinceYouLooked() {
	const { sessions, now } = useWorld();
	const stopped = unseenOf(sessions, useSeen());
	if (stopped.length === 0) return null;
	return (
		<section aria-labelledby="since" className={styles.since}>
			<header className={styles.head}>
				<h2 id="since">Since you looked</h2>
				<button type="button" onClick={() => dismissAll(sessions)}>
					Dismiss all
				</button>
			</header>
			<ul>
				{stopped.map((row) => (
					<Row key={row.id} row={row} now={now} />
				))}
			</ul>
		</section>
	);
}

function Row({ row, now }: { row: SessionTile; now: number }) {
	const stop = stopOf(row) ?? 'ended';
	return (
		<li>
			<Link href={`/s/${row.id}`} className={styles.row} data-session={row.id} data-stop={stop}>
				<span className={styles.sign} aria-hidden="true">
					{SIGNS[stop]}
				</span>
				<span className={styles.title}>{sanitiseLine(row.title || row.id)}</span>
				<span className={styles.about}>
					{stop}
					{row.costUsdEstimate === undefined ? '' : ` · ${money(row.costUsdEstimate)}`} · {age(row.lastEventAt, now)} ago
				</span>
			</Link>
		</li>
	);
}
