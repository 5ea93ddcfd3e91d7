// Keeps the list of a hub's runners up to date: who is online is not part of their streams.
import type { Reply } from '@roost/client/api-call';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { Device } from '../device/device.ts';
import { readServer } from '../device/server-kind.ts';
import type { Fleet } from './fleet.ts';
import { onReturn } from './on-return.ts';
import type { OwnVersion } from './own-version.ts';
import { pause } from './timing.ts';

export type FollowRunnersDeps = {
	fleet: Pick<Fleet, 'take' | 'state' | 'worlds'>;
	bearer: Device['bearer'];
	onLoggedOut: () => void;
	list: () => Promise<Reply<RunnerRow[]>>;
	version: Pick<OwnVersion, 'meet'>;
};

const EVERY_MS = 3_000;

export function followRunners({ fleet, bearer, onLoggedOut, list, version }: FollowRunnersDeps): void {
	let isReading = false;
	let wasReached = false;

	async function read(): Promise<void> {
		if (isReading || fleet.state().out !== undefined) return;
		isReading = true;
		const reached = await tryToRead();
		isReading = false;
		// Another version may have been started meanwhile.
		if (reached && !wasReached) void meetVersion();
		wasReached = reached;
	}

	async function tryToRead(): Promise<boolean> {
		try {
			if ((await bearer()) === undefined) {
				onLoggedOut();
				return false;
			}
			const listed = await list();
			if (listed.ok) fleet.take(listed.value);
			return listed.ok;
		} catch {
			// Nothing answers. The streams say so.
			return false;
		}
	}

	async function meetVersion(): Promise<void> {
		const served = await readServer();
		if (served?.version !== undefined) await version.meet('hub', served.version, reportFirst);
	}

	function reportFirst(problem: string): void {
		fleet.worlds()[0]?.runner.opened?.connected.source.report(problem);
	}

	async function repeat(): Promise<void> {
		while (fleet.state().out === undefined) {
			if (document.visibilityState === 'visible' || fleet.state().runners === undefined) await read();
			await pause(EVERY_MS);
		}
	}

	onReturn(() => void read());
	void repeat();
}
