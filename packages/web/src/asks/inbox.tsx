// All pending requests of all sessions, the oldest first; a decided one stays for a moment and says who decided it.
import { useRef } from 'react';
import { useWorld } from '../data/use-world.ts';
import { AskCard } from './ask-card.tsx';
import styles from './asks.module.css';
import { recentlyShown, type Shown } from './recently-shown.ts';

export function Inbox() {
	const world = useWorld();
	const shown = useRef<Shown>(new Map());
	const cards = recentlyShown(shown.current, world);
	const isEmpty = cards.length === 0;
	return (
		<section aria-labelledby="inbox" data-state={isEmpty ? 'empty' : 'asks'}>
			<h1 id="inbox" className={styles.heading}>
				Pending requests
			</h1>
			<div aria-live="assertive" className={styles.announce}>
				{isEmpty ? '' : `${cards.length} pending`}
			</div>
			{isEmpty ? <p className={styles.empty}>No pending requests.</p> : null}
			<ul className={styles.list}>
				{cards.map(({ ask, since }) => (
					<li key={ask.id}>
						<AskCard ask={ask} since={since} />
					</li>
				))}
			</ul>
		</section>
	);
}
