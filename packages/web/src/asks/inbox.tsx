// All pending requests of all sessions, the oldest first; then sessions that stopped since the user looked.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { stateWords } from '@roost/core/views/words';
import { useRef } from 'react';
import { Link } from 'wouter';
import { useWorld } from '../data/use-world.ts';
import { Reading } from '../parts/reading.tsx';
import { StartCommands } from '../parts/start-commands.tsx';
import { useAskAddress } from './ask-address.ts';
import { AskCard } from './ask-card.tsx';
import styles from './asks.module.css';
import { recentlyShown, type Shown } from './recently-shown.ts';
import { SinceYouLooked } from './since-you-looked.tsx';
import { useCardKeys } from './use-card-keys.ts';

export function Inbox() {
	const world = useWorld();
	const { open, id: openId } = useAskAddress();
	const shown = useRef<Shown>(new Map());
	const list = useRef<HTMLUListElement>(null);
	useCardKeys(list, openId === undefined);
	const cards = recentlyShown(shown.current, world);
	const isEmpty = cards.length === 0;
	return (
		<section aria-labelledby="inbox" data-state={isEmpty ? 'empty' : 'asks'}>
			<h1 id="inbox" className={styles.heading}>
				Pending requests
			</h1>
			{isEmpty ? <Empty /> : null}
			<ul ref={list} className={styles.list}>
				{cards.map(({ ask, since }) => (
					<li key={ask.id}>
						<AskCard
							ask={ask}
							since={since}
							after={
								<button type="button" className={styles.open} onClick={() => open(ask.id)}>
									Open
								</button>
							}
						/>
					</li>
				))}
			</ul>
			<SinceYouLooked />
		</section>
	);
}

function Empty() {
	const { sessions, isRead, now } = useWorld();
	if (!isRead) return <Reading />;
	const [last] = sessions.filter(({ archived }) => !archived).toSorted((a, b) => b.lastEventAt - a.lastEventAt);
	if (!last) return <StartCommands />;
	return (
		<div className={styles.empty}>
			<p>No pending requests.</p>
			<p>
				Last active: <Link href={`/s/${last.id}`}>{sanitiseLine(last.title || last.id)}</Link> ({sanitiseLine(stateWords(last))},{' '}
				{age(last.lastEventAt, now)} ago)
			</p>
		</div>
	);
}
