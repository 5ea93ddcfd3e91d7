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

export type BindingsDeps = {
	store: Store;
	/** The session that this launch begins, if it begins one. */
	first: SessionId;
	newSessionId: () => SessionId;
	/** What this launch reported for last, where it began under an earlier runner. */
	resumed?: SessionId | null;
	/** Told whenever it reports for another session than before. */
	onCurrent?: (id: SessionId) => void;
};

export function createBindings(deps: BindingsDeps): Bindings {
	const byNativeId = new Map<string, SessionId>();
	let current: SessionId | null = deps.resumed ?? null;
	if (current) for (const nativeId of nativeIdsOf(deps.store, current)) byNativeId.set(nativeId, current);

	function bind(nativeId: string, id: SessionId): SessionId {
		byNativeId.set(nativeId, id);
		if (id === current) return id;
		current = id;
		deps.onCurrent?.(id);
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

function nativeIdsOf(store: Store, id: SessionId): string[] {
	const rows = store.sessions({ id });
	return rows.ok ? rows.value.flatMap((row) => row.nativeIds.map((native) => native.id)) : [];
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
