// One session as it is looked at: its record read from the start, then every event as it comes.
import type { StreamClient } from '@roost/client/stream-client';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { type SessionId, sessionStream } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import { createFeedList } from '../feed/feed-list.ts';
import type { OpenSession } from '../world.ts';

export type SessionFollow = { open(): OpenSession; end(): void };

export function followSession(deps: {
	id: SessionId;
	row: SessionRow | undefined;
	stream: StreamClient;
	onChange: (open: OpenSession) => void;
}): SessionFollow {
	const view = createSessionView(deps.id);
	const feed = createFeedList();
	const total = deps.row?.events ?? 0;
	const streaming = new Map<string, string>();
	let caughtUp = false;
	let read = 0;

	const open = (): OpenSession => ({
		id: deps.id,
		row: deps.row,
		view,
		feed,
		loading: caughtUp ? null : { read, total },
		streaming,
	});

	const endLines = deps.stream.follow(
		{ stream: sessionStream(deps.id), after: 0 },
		{
			onLine({ event }) {
				read += 1;
				feed.add(event);
				foldSessionView(view, event);
				if (event.kind === 'agent.message') streaming.delete(event.actor_id);
				// What was interrupted is never finished by a message.
				if (event.kind === 'run.end' || event.kind === 'session.end') streaming.clear();
				deps.onChange(open());
			},
			onCaughtUp() {
				caughtUp = true;
				deps.onChange(open());
			},
		},
	);
	const endDeltas = deps.stream.onDelta((event) => {
		if (event.session_id !== deps.id || event.kind !== 'agent.delta') return;
		streaming.set(event.actor_id, (streaming.get(event.actor_id) ?? '') + event.data.text);
		deps.onChange(open());
	});

	return {
		open,
		end() {
			endLines();
			endDeltas();
		},
	};
}
