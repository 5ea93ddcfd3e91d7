// One event in full: what led to it, the event with its outcome, and the stored line, with an address to share.

import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { toJson } from '@roost/core/display/to-json';
import { eventTitle } from '@roost/core/feed/title';
import { causeChain } from '@roost/core/views/cause-chain';
import { createFeedList } from '@roost/core/views/feed-list';
import type { SessionTile } from '@roost/protocol/session-row';
import type { StoredLine } from '@roost/protocol/stored-line';
import { useMemo } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { EventDetails } from '../feed/row-details.tsx';
import { useAction } from '../keys/use-action.ts';
import { Command } from '../parts/command.tsx';
import { NotRead } from '../parts/reading.tsx';
import styles from './session.module.css';
import { SessionFrame } from './session-frame.tsx';

/** Events on either side, enough for a call with its prompt and its result in most runs. */
const AROUND = 200;

export function EventPage() {
	return <SessionFrame>{(row) => <Around row={row} />}</SessionFrame>;
}

function Around({ row }: { row: SessionTile }) {
	const { api } = useConnected();
	const { offset: given = '' } = useParams<{ offset: string }>();
	const offset = Number(given);
	const read = useRead(`event ${row.id} ${offset}`, () => api.feed.events({ id: row.id, around: offset, limit: AROUND }));
	const line = read.value?.find((one) => one.offset === offset);
	if (!read.value) return <NotRead {...read} />;
	if (!line)
		return <p className={styles.closed}>{`Event ${sanitiseLine(given)} not found. The session has ${row.events} events.`}</p>;
	return <OneEvent lines={read.value} line={line} />;
}

function OneEvent({ lines, line }: { lines: readonly StoredLine[]; line: StoredLine }) {
	const [, go] = useLocation();
	const { session_id: id, event_id } = line.event;
	const feed = useMemo(() => {
		const list = createFeedList({ olderComes: true });
		for (const { event } of lines) list.add(event);
		list.endOlder();
		return list;
	}, [lines]);
	const entry = feed.find(event_id);
	const joined = [entry?.event ?? line.event, entry?.result, entry?.decision].filter((event) => event !== undefined);
	const chain = causeChain(event_id, feed).filter((event) => event.event_id !== event_id);
	const offsets = new Map(lines.map((one) => [one.event.event_id, one.offset]));
	const next = lines.some(({ offset }) => offset > line.offset) ? line.offset + 1 : undefined;
	const open = (offset: number) => go(`/s/${id}/e/${offset}`);
	useAction('back', () => go(`/s/${id}`));
	useAction('previous', () => open(line.offset - 1), line.offset > 1);
	useAction('next', () => open(line.offset + 1), next !== undefined);
	return (
		<div className={styles.event}>
			<header>
				<h2>{sanitiseLine(eventTitle(line.event))}</h2>
				<p className={styles.facts}>
					{sanitiseLine(
						`${line.event.kind} · ${new Date(line.event.ts).toLocaleString()} · ${line.event.actor_id} · event ${line.offset}`,
					)}
				</p>
				<nav className={styles.links} aria-label="Events">
					<Link href={`/s/${id}`}>Feed</Link>
					{line.offset > 1 ? <Link href={`/s/${id}/e/${line.offset - 1}`}>Previous</Link> : null}
					{next === undefined ? null : <Link href={`/s/${id}/e/${next}`}>Next</Link>}
				</nav>
			</header>
			{chain.length > 0 ? (
				<section aria-labelledby="because">
					<h3 id="because">Because of</h3>
					<ol className={styles.chain}>
						{chain.map((event) => (
							<li key={event.event_id}>
								<Link href={`/s/${id}/e/${offsets.get(event.event_id)}`}>{sanitiseLine(eventTitle(event))}</Link>
							</li>
						))}
					</ol>
				</section>
			) : null}
			<section aria-labelledby="whole">
				<h3 id="whole">Event</h3>
				<EventDetails events={joined} />
			</section>
			<details>
				<summary className={styles.stored}>Stored line</summary>
				<pre className={styles.raw}>{sanitiseBlock(toJson(line))}</pre>
			</details>
			<Command>{location.href}</Command>
		</div>
	);
}
