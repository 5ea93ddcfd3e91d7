// A store whose appends are timed, whatever becomes of them.
import type { Store } from '@roost/store/store';

export function watchStore(store: Store, deps: { now: () => number; onAppended: (ms: number) => void }): Store {
	return {
		...store,
		async append(request) {
			const from = deps.now();
			try {
				return await store.append(request);
			} finally {
				deps.onAppended(deps.now() - from);
			}
		},
	};
}
