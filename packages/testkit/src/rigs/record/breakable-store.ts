// A store whose disk refuses to be written, for as long as a test wants.
import { AppError } from '@roost/protocol/app-error';
import { err } from '@roost/protocol/result';
import type { Store } from '@roost/store/store';

export function breakableStore(inner: Store) {
	let isBroken = false;
	const refusal = () => Promise.resolve(err(new AppError('store_unavailable', 'The disk is full: free some space.')));
	const store: Store = { ...inner, append: (request) => (isBroken ? refusal() : inner.append(request)) };
	const set = (value: boolean) => {
		isBroken = value;
	};
	return { store, break: () => set(true), mend: () => set(false) };
}
