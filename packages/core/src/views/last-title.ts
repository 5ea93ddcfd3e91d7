// The title of the last event of a session, from its stored line.
import type { SessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { parseJson } from '../display/parse-json.ts';
import { eventTitle } from '../feed/title.ts';

/** Undefined where another event is at its place: events are lost while the disk fails for long. */
export function lastTitle({ lastEvent }: SessionRow, line: string | undefined): string | undefined {
	const stored = line === undefined ? undefined : storedLine.safeParse(parseJson(line)).data;
	return stored && stored.event.kind === lastEvent?.kind ? eventTitle(stored.event) : undefined;
}
