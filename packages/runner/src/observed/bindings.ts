// Which of Roost's sessions an agent's own session id belongs to: clear, compact and resume keep the session, fork makes a child.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Store } from '@roost/store/store';

export type Bindings = {
	/** The session this event belongs to, and its parent where it forked off. */
	sessionFor(event: RuntimeEvent): { id: SessionId; parentId?: SessionId };
	/** The session this launch reported for last; null before it reported at all. */
	current(): SessionId | null;
	/** Whether this launch itself reported under that id. */
	has(nativeId: string): boolean;
};

/** `first` is the id of the session that this launch begins, if it begins one. */
export function createBindings(deps: { store: Store; first: SessionId; newSessionId: () => SessionId }): Bindings {
	const byNativeId = new Map<string, SessionId>();
	let current: SessionId | null = null;

	function bind(nativeId: string, id: SessionId): SessionId {
		byNativeId.set(nativeId, id);
		current = id;
		return id;
	}

	function known(nativeId: string): SessionId | undefined {
		const live = byNativeId.get(nativeId);
		if (live) return live;
		const rows = deps.store.sessions({ nativeId });
		return rows.ok ? rows.value[0]?.id : undefined;
	}

	return {
		current: () => current,
		has: (nativeId) => byNativeId.has(nativeId),
		sessionFor(event) {
			const before = current;
			// Reports about the connection itself carry no id: they belong to whatever this launch is doing.
			if (!event.sessionId) return { id: current ?? deps.first };
			const bound = known(event.sessionId);
			if (bound) return { id: bind(event.sessionId, bound) };
			if (isFork(event))
				return { id: bind(event.sessionId, before ? deps.newSessionId() : deps.first), parentId: before ?? undefined };
			return { id: bind(event.sessionId, before ?? deps.first) };
		},
	};
}

function isFork(event: RuntimeEvent): boolean {
	const { payload } = event;
	return (
		event.hookName === 'SessionStart' &&
		typeof payload === 'object' &&
		payload !== null &&
		'source' in payload &&
		payload.source === 'fork'
	);
}
