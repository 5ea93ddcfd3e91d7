// The runners that clients of the stream watch: each has one fan-out while it has clients.
import type { Log } from '../http/log.ts';
import type { ServedRunner } from '../operations/served-runner.ts';
import { type Calls, createCalls } from './calls.ts';
import { createFanOut, type FanOut } from './fan-out.ts';

export type WatchedRunners = Disposable & {
	/** The caller ends its use. */
	use(runner: ServedRunner): WatchedRunner;
};

export type WatchedRunner = Disposable & { readonly fanOut: FanOut; readonly calls: Calls };

export function createWatchedRunners(deps: { newId: () => string; log: Log }): WatchedRunners {
	const watched = new Map<ServedRunner, { fanOut: FanOut; calls: Calls; users: number }>();

	function open(runner: ServedRunner) {
		const fanOut = createFanOut(runner.backend);
		return { fanOut, calls: createCalls({ ...deps, api: runner.api }), users: 0 };
	}

	return {
		use(runner) {
			const one = watched.get(runner) ?? open(runner);
			watched.set(runner, one);
			one.users += 1;
			return {
				...one,
				[Symbol.dispose]() {
					one.users -= 1;
					if (one.users > 0) return;
					one.fanOut[Symbol.dispose]();
					watched.delete(runner);
				},
			};
		},
		[Symbol.dispose]() {
			for (const { fanOut } of watched.values()) fanOut[Symbol.dispose]();
			watched.clear();
		},
	};
}
