// A store whose disk does not answer for some sessions, until a test says so.
import type { SessionId } from '@roost/protocol/ids';
import type { Store } from '@roost/store/store';

export function slowStore(inner: Store) {
	const held = new Map<SessionId, PromiseWithResolvers<void>>();
	const store: Store = {
		...inner,
		async append(request) {
			await held.get(request.sessionId)?.promise;
			return await inner.append(request);
		},
	};
	return {
		store,
		hold: (id: SessionId) => void held.set(id, Promise.withResolvers<void>()),
		release(id: SessionId) {
			held.get(id)?.resolve();
			held.delete(id);
		},
	};
}
