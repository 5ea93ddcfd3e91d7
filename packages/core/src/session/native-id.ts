// Notices when the agent changes its own id for a session, and why.
import type { Fact } from '../feed/mapper.ts';
import type { RuntimeEvent } from '../runtime/event.ts';

/** The fact to record, or null where the id is the known one. */
export function observeNativeId(known: string | null, event: RuntimeEvent, agent: string): Fact | null {
	if (!event.sessionId || event.sessionId === known) return null;
	return {
		kind: 'session.native',
		data: { agent, native_id: event.sessionId, reason: reasonOf(event), parent_native_id: known ?? undefined },
	};
}

function reasonOf(event: RuntimeEvent) {
	return event.unread === undefined && event.hookName === 'SessionStart' ? event.payload.source : 'startup';
}
