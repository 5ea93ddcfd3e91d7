// Keeps the page on the version of its server: it reloads once for another one, and says so if that did not help.
import type { StreamClient } from '@roost/client/stream-client';
import type { ServerKind } from '../device/server-kind.ts';
import type { PageWorker } from '../device/worker.ts';

/** Put in by the build. */
declare const ROOST_VERSION: string;

const RELOADED_FOR = 'reloaded-for';

export type OwnVersion = {
	/** The server of the page has this version. */
	meet(server: ServerKind, version: string, say: (sentence: string) => void): Promise<void>;
	/** Each time the stream of the runner that serves the page is live again. */
	follow(stream: Pick<StreamClient, 'onStatus'>, say: (sentence: string) => void): void;
};

export function createOwnVersion(worker: Pick<PageWorker, 'update'>): OwnVersion {
	let isFirst = true;

	async function meet(server: ServerKind, version: string, say: (sentence: string) => void): Promise<void> {
		if (version === ROOST_VERSION) {
			localStorage.removeItem(RELOADED_FOR);
			// A browser looks for a new worker when a page is opened, but not when its server restarts under it.
			if (!isFirst) await worker.update();
			isFirst = false;
			return;
		}
		if (localStorage.getItem(RELOADED_FOR) === version) {
			say(`This page is of Roost ${ROOST_VERSION}, the ${server} of ${version}. Close all tabs of Roost and open it again.`);
			return;
		}
		localStorage.setItem(RELOADED_FOR, version);
		// A worker that takes over reloads the page itself.
		if (!(await worker.update())) location.reload();
	}

	return {
		meet,
		follow(stream, say) {
			let wasLive = false;
			stream.onStatus(({ state, version }) => {
				const isLive = state === 'live';
				if (isLive && !wasLive && version !== undefined) void meet('runner', version, say);
				wasLive = isLive;
			});
		},
	};
}
