// A session: its feed, tasks, actors and cost beside it, and the field for prompts below.
import type { Borders } from '@roost/client/world/continued-rows';
import { ROOT_AGENT } from '@roost/core/feed/entities';
import { actorName, depthOf } from '@roost/core/views/actor-names';
import type { RowEntry } from '@roost/core/views/row-list';
import { createSessionView } from '@roost/core/views/session-view';
import type { AskDetail } from '@roost/protocol/api/asks';
import type { FeedRow } from '@roost/protocol/api/feed-rows';
import { sessionId, sessionOf } from '@roost/protocol/ids';
import type { SessionTile } from '@roost/protocol/session-row';
import { useMemo, useState } from 'react';
import { useLocation, useParams } from 'wouter';
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
	const { id = '' } = useParams<{ id: string }>();
	// Read while the frame still waits for the row of the session.
	const session = useSession(sessionId.parse(id));
	return <SessionFrame>{(row) => <Opened row={row} session={session} />}</SessionFrame>;
}

function Opened({ row, session }: { row: SessionTile; session: Session | undefined }) {
	if (!session || session.first === 0)
		return (
			<div className={styles.body}>
				<Reading />
			</div>
		);
	return (
		<div className={styles.body}>
			<div className={styles.middle}>
				<SessionFeed session={session} />
				<Composer id={row.id} isBusy={row.status === 'working' || row.status === 'waiting'} />
			</div>
			<SidePanes view={session.view ?? createSessionView(row.id)} />
		</div>
	);
}

function SessionFeed({ session }: { session: Session }) {
	const [, go] = useLocation();
	const { asks } = useWorld();
	const actors = session.view?.actors;
	const { borders } = session;
	const pending = useMemo(() => new Map(asks.map((ask) => [ask.id, ask])), [asks]);
	const context = useMemo(
		(): RowContext => ({
			addressOf: (row) => addressOf(row, borders),
			actorOf: ({ actor_id }) =>
				actors && actor_id !== ROOT_AGENT && actor_id.startsWith('subagent:')
					? { name: actorName(actor_id, actors), depth: depthOf(actor_id, actors) }
					: { name: undefined, depth: 0 },
			askCard(id) {
				const ask = pending.get(id);
				return ask ? <PendingAsk ask={ask} /> : null;
			},
		}),
		[borders, actors, pending],
	);
	return (
		<Feed
			session={session}
			context={context}
			readOlder={session.readOlder}
			onOpenWhole={({ event }: RowEntry) => {
				const address = context.addressOf(event);
				if (address !== undefined) go(address);
			}}
		>
			{[...session.streaming].map(([actor, text]) => (
				<div key={actor} className={styles.streaming} aria-hidden="true">
					<Markdown text={text} />
				</div>
			))}
		</Feed>
	);
}

function addressOf({ event_id, offset }: FeedRow, borders: Borders): string | undefined {
	const border = borders.get(event_id);
	if (!border) return `/s/${sessionOf(event_id)}/e/${offset}`;
	if ('parentId' in border) return `/s/${border.parentId}`;
	return border.project && `/projects/${border.project}/${border.nativeId}`;
}

function PendingAsk({ ask }: { ask: AskDetail }) {
	const [since] = useState(Date.now);
	return <AskCard ask={ask} since={since} place="session" />;
}
