// All pending requests of all sessions of all runners, the oldest first; then sessions that stopped since the user looked.
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { stateWords } from '@roost/core/views/words';
import type { RunnerId } from '@roost/protocol/ids';
import { useRef } from 'react';
import { Link } from 'wouter';
import { isOpen, RunnerScope, runnerBase, useFleet, useWorlds } from '../data/use-fleet.tsx';
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
	const { open, id: openId } = useAskAddress();
	const list = useRef<HTMLUListElement>(null);
	useCardKeys(list, openId === undefined);
	const cards = useCards();
	const isEmpty = cards.length === 0;
	return (
		<section aria-labelledby="inbox" data-state={isEmpty ? 'empty' : 'asks'}>
			<h1 id="inbox" className={styles.heading}>
				Pending requests
			</h1>
			{isEmpty ? <Empty /> : null}
			<ul ref={list} className={styles.list}>
				{cards.map(({ ask, since, runner }) => (
					<li key={`${runner.id} ${ask.id}`}>
						<RunnerScope runner={runner}>
							<AskCard
								ask={ask}
								since={since}
								after={
									<button type="button" className={styles.open} onClick={() => open(ask.id, runner.id)}>
										Open
									</button>
								}
							/>
						</RunnerScope>
					</li>
				))}
			</ul>
			<UnopenedRunners />
			<SinceYouLooked />
		</section>
	);
}

/** Of all runners, the oldest first. */
function useCards() {
	const shown = useRef(new Map<RunnerId | undefined, Shown>());
	const cards = useWorlds().flatMap(({ runner, world }) => {
		const own: Shown = shown.current.get(runner.id) ?? new Map();
		shown.current.set(runner.id, own);
		return isOpen(runner) ? recentlyShown(own, world).map((card) => ({ ...card, runner })) : [];
	});
	return cards.sort((a, b) => a.ask.openedAt - b.ask.openedAt);
}

/** Of so many runners that not all are followed: where more requests are. */
function UnopenedRunners() {
	const { runners } = useFleet();
	const asking = (runners ?? []).filter(({ row, opened }) => opened === undefined && row !== undefined && row.asks > 0);
	return asking.map((runner) => (
		<p key={runner.id}>
			<Link href={`~${runnerBase(runner)}/`}>{sanitiseLine(runner.row?.name ?? '')}</Link>:{' '}
			{plural(runner.row?.asks ?? 0, 'request')}
		</p>
	));
}

function Empty() {
	const { sessions, now } = useWorld();
	const isRead = useWorlds().every(({ world }) => world.isRead);
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
