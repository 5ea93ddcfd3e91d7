// Parses the payload of a report against the schema of its hook. This is the only place.
import type { EventBase, KnownEvent, UnreadEvent } from '../event.ts';
import { type HookName, type HookPayload, hookPayloads, isHookName } from './hook-payloads.ts';

export type Report = KnownReport | Pick<UnreadEvent, 'hookName' | 'payload' | 'unread'>;
type KnownReport = {
	[Event in KnownEvent as Event['hookName']]: Pick<Event, 'hookName' | 'payload' | 'unread'>;
}[KnownEvent['hookName']];

/** An event that an adapter makes itself: its payload is checked by the compiler. */
export function toKnownEvent<Name extends HookName>(base: EventBase, hookName: Name, payload: HookPayload<Name>): KnownEvent {
	// The compiler does not follow that a name and its payload belong together.
	return { ...base, hookName, payload } as KnownEvent;
}

/** Total: an unreadable payload is kept as it came. */
export function readReport(hookName: string, payload: unknown): Report {
	if (!isHookName(hookName)) return { hookName, payload, unread: 'unknown' };
	const parsed = hookPayloads[hookName].safeParse(payload);
	return parsed.success ? ({ hookName, payload: parsed.data } as KnownReport) : { hookName, payload, unread: 'malformed' };
}
