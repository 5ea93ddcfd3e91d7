// Which of Roost's sessions an agent's own session id belongs to: clear, compact and resume keep the session, fork makes a child.
// A launch reports only for sessions that it holds. At SessionStart it may claim another one that no other launch holds.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Holder, SessionHolders } from '../engine/session-holders.ts';

export type Bindings = {
	/** The session this event belongs to, and its parent where it forked off. */
	sessionFor(event: RuntimeEvent): BoundTo;
	/** Why this event may not go to the session it names; undefined where it may, or names none that is known. */
	refusalOf(event: RuntimeEvent): string | undefined;
	/** The session this launch reported for last; null before it reported at all. */
	current(): SessionId | null;
	/** Whether this launch holds the session that this id belongs to. */
	has(nativeId: string): boolean;
};

/** `refused`: why the event may not go to the session it names; `id` is then a session of the launch itself. */
export type BoundTo = { id: SessionId; parentId?: SessionId | undefined; refused?: string };

export type BindingsDeps = {
	holders: SessionHolders;
	holder: Holder;
	/** The session that this launch begins, if it begins one. */
	first: SessionId;
	newSessionId: () => SessionId;
	/** What this launch reported for last, where it began under an earlier runner. */
	resumed?: SessionId | null;
	/** Whether this event may claim a stored session that has no holder. */
	mayClaim?: (event: RuntimeEvent, row: SessionRow) => boolean;
	/** Called when it switches to another session. */
	onCurrent?: (id: SessionId) => void;
};

export function createBindings(deps: BindingsDeps): Bindings {
	const { holders, holder, mayClaim = isSessionStart } = deps;
	/** Held sessions whose agent reported their end, until it reports more for them. */
	const ended = new Set<SessionId>();
	let current: SessionId | null = deps.resumed && holders.claim(deps.resumed, holder) ? deps.resumed : null;

	function enter(id: SessionId, event: RuntimeEvent): SessionId {
		const left = current;
		holders.claim(id, holder);
		if (event.sessionId) holders.noteNative(event.sessionId, id);
		ended.delete(id);
		if (event.hookName === 'SessionEnd') ended.add(id);
		if (id === left) return id;
		if (left !== null && ended.delete(left)) holders.release(holder, left);
		current = id;
		deps.onCurrent?.(id);
		return id;
	}

	/** Another launch may have taken the session of one whose command died. */
	function own(): SessionId {
		const id = [current, deps.first].find((each) => each !== null && holders.claim(each, holder));
		return id ?? deps.newSessionId();
	}

	function refusalOf(event: RuntimeEvent): string | undefined {
		const id = holders.sessionOf(event.sessionId);
		if (id === undefined || holders.holds(id, holder)) return undefined;
		if (holders.isTaken(id, holder)) return `session ${id} belongs to another agent that is running`;
		if (id === deps.first) return undefined;
		const row = holders.rowOf(id);
		return row && mayClaim(event, row) ? undefined : `session ${id} was not started or resumed by this agent`;
	}

	return {
		refusalOf,
		current: () => current,
		has(nativeId) {
			const id = holders.sessionOf(nativeId);
			return id !== undefined && holders.holds(id, holder);
		},
		sessionFor(event) {
			// Reports about the connection itself have no id: they belong to the current session of this launch.
			if (!event.sessionId) return { id: current === null ? deps.first : enter(own(), event) };
			const refused = refusalOf(event);
			if (refused !== undefined) return { id: enter(own(), { ...event, sessionId: '' }), refused };
			const known = holders.sessionOf(event.sessionId);
			if (known) return { id: enter(known, event) };
			const before = current;
			if (isFork(event) && before !== null) return { id: enter(deps.newSessionId(), event), parentId: before };
			return { id: enter(own(), event) };
		},
	};
}

export function isSessionStart({ hookName }: RuntimeEvent): boolean {
	return hookName === 'SessionStart';
}

function isFork(event: RuntimeEvent): boolean {
	return event.unread === undefined && event.hookName === 'SessionStart' && event.payload.source === 'fork';
}
