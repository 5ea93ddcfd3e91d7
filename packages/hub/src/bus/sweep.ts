// Work that is repeated after a pause. A slow one is not started a second time.
import { warnOfFailure } from '@roost/machine/listeners';
import { realTimers, type Timers } from '@roost/machine/timers';

export type SweepDeps = { sweepMs: number; timers?: Timers; work(): Promise<void> };

export function createSweep({ sweepMs, timers = realTimers, work }: SweepDeps): Disposable {
	let hasEnded = false;
	let cancel = timers.after(sweepMs, () => void run());

	async function run(): Promise<void> {
		try {
			await work();
		} catch (error) {
			warnOfFailure('A sweep of the hub', error);
		}
		if (!hasEnded) cancel = timers.after(sweepMs, () => void run());
	}

	return {
		[Symbol.dispose]() {
			hasEnded = true;
			cancel();
		},
	};
}
