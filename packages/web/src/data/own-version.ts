// Keeps the page on the version of its runner: it reloads once for another one, and says so if that did not help.
import type { StreamClient } from '@roost/client/stream-client';
import type { PageWorker } from '../device/worker.ts';

/** Put in by the build. */
declare const ROOST_VERSION: string;

const RELOADED_FOR = 'reloaded-for';

export type OwnVersionDeps = {
	stream: Pick<StreamClient, 'onStatus'>;
	worker: Pick<PageWorker, 'update'>;
	say: (sentence: string) => void;
};

export function keepOwnVersion({ stream, worker, say }: OwnVersionDeps): void {
	let wasLive = false;
	let isFirst = true;

	async function meet(version: string): Promise<void> {
		if (version === ROOST_VERSION) {
			localStorage.removeItem(RELOADED_FOR);
			// A browser looks for a new worker when a page is opened, but not when the runner restarts under it.
			if (!isFirst) await worker.update();
			isFirst = false;
			return;
		}
		if (localStorage.getItem(RELOADED_FOR) === version) {
			say(`This page is of Roost ${ROOST_VERSION}, the runner of ${version}. Close all tabs of Roost and open it again.`);
			return;
		}
		localStorage.setItem(RELOADED_FOR, version);
		// A worker that takes over reloads the page itself.
		if (!(await worker.update())) location.reload();
	}

	stream.onStatus(({ state, version }) => {
		const isLive = state === 'live';
		if (isLive && !wasLive && version !== undefined) void meet(version);
		wasLive = isLive;
	});
}
