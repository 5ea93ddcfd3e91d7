// A session: its feed, tasks, actors and cost beside it, and the field for prompts below.
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { actorName, depthOf } from '@roost/core/views/actor-names';
import type { RowEntry } from '@roost/core/views/row-list';
import { createSessionView } from '@roost/core/views/session-view';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { SessionTile } from '@roost/protocol/session-row';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { AskCard } from '../asks/ask-card.tsx';
import { useWorld } from '../data/use-world.ts';
import { Feed } from '../feed/feed.tsx';
import type { RowContext } from '../feed/feed-row.tsx';
import { Markdown } from '../feed/markdown.tsx';
import { Reading } from '../parts/reading.tsx';
import { Composer } from './composer.tsx';
import styles from './session.module.css';
import { SessionFrame } from './session-frame.tsx';
import { SidePanes } from './side-panes.tsx';
import { type Session, useSession } from './use-session.ts';

export function SessionPage() {
	return <SessionFrame>{(row) => <Opened row={row} />}</SessionFrame>;
}

function Opened({ row }: { row: SessionTile }) {
	const session = useSession(row.id);
	if (!session || session.first === 0)
		return (
			<div className={styles.body}>
				<Reading />
			</div>
		);
	return (
		<div className={styles.body}>
			<div className={styles.middle}>
				<SessionFeed row={row} session={session} />
				<Composer id={row.id} isBusy={row.status === 'working' || row.status === 'waiting'} />
			</div>
			<SidePanes view={session.view ?? createSessionView(row.id)} />
		</div>
	);
}

function SessionFeed({ row, session }: { row: SessionTile; session: Session }) {
	const [, go] = useLocation();
	const { asks } = useWorld();
	const actors = session.view?.actors;
	const pending = useMemo(() => new Map(asks.map((ask) => [ask.id, ask])), [asks]);
	const context = useMemo(
		(): RowContext => ({
			sessionId: row.id,
			actorOf: ({ actor_id }) =>
				actors && actor_id !== ROOT_AGENT && actor_id.startsWith('subagent:')
					? { name: actorName(actor_id, actors), depth: depthOf(actor_id, actors) }
					: { name: undefined, depth: 0 },
			askCard(id) {
				const ask = pending.get(id);
				return ask ? <PendingAsk ask={ask} /> : null;
			},
		}),
		[row.id, actors, pending],
	);
	return (
		<Feed
			feed={session.rows}
			context={context}
			hasOlder={session.first > 1}
			onNearStart={() => void session.readOlder()}
			onOpenWhole={({ event }: RowEntry) => go(`/s/${row.id}/e/${event.offset}`)}
		>
			{[...session.streaming].map(([actor, text]) => (
				<div key={actor} className={styles.streaming} aria-hidden="true">
					<Markdown text={text} />
				</div>
			))}
		</Feed>
	);
}

function PendingAsk({ ask }: { ask: AskDetail }) {
	const [since] = useState(Date.now);
	return <AskCard ask={ask} since={since} />;
}
