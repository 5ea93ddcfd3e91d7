// Stores whose disk rejects writes, or hangs, as long as a test wants.
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';

export function breakableStore(inner: Store) {
	let isBroken = false;
	const refusal = () => Promise.resolve(err(new AppError('store_unavailable', 'The disk is full: free some space.')));
	const store: Store = { ...inner, append: (request) => (isBroken ? refusal() : inner.append(request)) };
	const set = (value: boolean) => {
		isBroken = value;
	};
	return { store, break: () => set(true), repair: () => set(false) };
}

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
