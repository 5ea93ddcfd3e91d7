// Who may write to a session: one launch or the driver at a time, and the agent's ids that lead to each session.
import type { SessionId } from '@roost/protocol/ids';
import type { SessionRow } from '@roost/protocol/session-row';
import type { Store } from '@roost/store/store';

/** Compared by identity. A dead holder locks no one out. */
export type Holder = { isAlive(): boolean };

export type SessionHolders = {
	/** False while another holder has the session. */
	claim(id: SessionId, holder: Holder): boolean;
	holds(id: SessionId, holder: Holder): boolean;
	/** Whether a live holder other than this one has it. */
	isTaken(id: SessionId, holder?: Holder): boolean;
	/** One session, or all that it holds. */
	release(holder: Holder, id?: SessionId): void;
	/** An agent reported for the session under that id. The store knows it only later. */
	noteNative(nativeId: string, id: SessionId): void;
	/** The session that the agent's id belongs to. */
	sessionOf(nativeId: string): SessionId | undefined;
	/** What is stored of it. */
	rowOf(id: SessionId): SessionRow | undefined;
};

const MOST_NATIVE_IDS = 10_000;

export function createSessionHolders(store: Pick<Store, 'sessions'>): SessionHolders {
	const bySession = new Map<SessionId, Holder>();
	const byNativeId = new Map<string, SessionId>();

	function isTaken(id: SessionId, holder?: Holder): boolean {
		const current = bySession.get(id);
		return current !== undefined && current !== holder && current.isAlive();
	}

	return {
		isTaken,
		claim(id, holder) {
			if (isTaken(id, holder)) return false;
			bySession.set(id, holder);
			return true;
		},
		holds: (id, holder) => bySession.get(id) === holder,
		release(holder, only) {
			for (const [id, current] of bySession) if (current === holder && (only ?? id) === id) bySession.delete(id);
		},
		noteNative,
		sessionOf: (nativeId) => byNativeId.get(nativeId) ?? findStored({ nativeId })?.id,
		rowOf: (id) => findStored({ id }),
	};

	function noteNative(nativeId: string, id: SessionId): void {
		byNativeId.delete(nativeId);
		byNativeId.set(nativeId, id);
		const [oldest] = byNativeId.keys();
		if (byNativeId.size > MOST_NATIVE_IDS && oldest !== undefined) byNativeId.delete(oldest);
	}

	function findStored(query: { id: SessionId } | { nativeId: string }): SessionRow | undefined {
		const rows = store.sessions(query);
		return rows.ok ? rows.value[0] : undefined;
	}
}
