// Where what an agent reports becomes typed: its payload is held against the schema of its hook, here and nowhere else.
import type { EventBase, KnownEvent, UnreadEvent } from '../event.ts';
import { type HookName, type HookPayload, hookPayloads, isHookName } from './hook-payloads.ts';

export type Report = KnownReport | Pick<UnreadEvent, 'hookName' | 'payload' | 'unread'>;
type KnownReport = {
	[Event in KnownEvent as Event['hookName']]: Pick<Event, 'hookName' | 'payload' | 'unread'>;
}[KnownEvent['hookName']];

/** What an adapter itself says: the compiler has held it against the normal form. */
export function toKnownEvent<Name extends HookName>(base: EventBase, hookName: Name, payload: HookPayload<Name>): KnownEvent {
	// It does not follow that the two belong together once the name is one of many.
	return { ...base, hookName, payload } as KnownEvent;
}

/** Total: what cannot be read is kept as it came. */
export function readReport(hookName: string, payload: unknown): Report {
	if (!isHookName(hookName)) return { hookName, payload, unread: 'unknown' };
	const parsed = hookPayloads[hookName].safeParse(payload);
	// The compiler does not follow that a schema and its name belong together.
	return parsed.success ? ({ hookName, payload: parsed.data } as KnownReport) : { hookName, payload, unread: 'malformed' };
}
