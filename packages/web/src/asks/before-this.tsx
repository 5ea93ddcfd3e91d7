// The last events before a request.
import { shouldExclude } from '@roost/core/feed/filter';
import { eventTitle } from '@roost/core/feed/title';
import type { AskRow } from '@roost/protocol/ask';
import type { StoredLine } from '@roost/protocol/stored-line';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { useWorld } from '../data/use-world.ts';
import { NotRead } from '../parts/reading.tsx';
import { When } from '../parts/when.tsx';

const SHOWN = 5;
/** Enough for hidden events between the shown ones, and for those after the request. */
const READ = 100;

export function BeforeThis({ ask }: { ask: AskRow }) {
	const { api } = useConnected();
	const session = useWorld().sessions.find(({ id }) => id === ask.sessionId);
	const after = Math.max(0, (session?.events ?? 0) - READ);
	const read = useRead(`before ${ask.id}`, () => api.feed.events({ id: ask.sessionId, after, limit: READ }));
	if (read.value === undefined) return <NotRead {...read} />;
	const lines = linesBefore(read.value, ask);
	if (lines.length === 0) return <p>No events before this request.</p>;
	return (
		<ol>
			{lines.map(({ event, offset }) => (
				<li key={offset}>
					<span>{eventTitle(event)}</span> <When at={event.ts} />
				</li>
			))}
		</ol>
	);
}

/** Oldest first. The call itself is not an event before it. */
function linesBefore(lines: readonly StoredLine[], { eventId, openedAt }: AskRow): readonly StoredLine[] {
	const at = lines.findIndex(({ event }) => event.event_id === eventId);
	const before = at < 0 ? lines.filter(({ event }) => event.ts < openedAt) : lines.slice(0, at);
	return before.filter(({ event }) => !shouldExclude(event)).slice(-SHOWN);
}
