// Whether the runner that a run lives in is still there: an agent does not outlive it, so neither does the run.
import type { StreamStatus } from '@roost/client/connection';
import type { StreamClient } from '@roost/client/stream-client';
import { steadyNow } from '@roost/machine/timers';
import { loadReach } from '../lazy-parts.ts';

/** For a runner that lives and does not answer. */
const MOST_SILENCE_MS = 30_000;

export async function watchLoss(stream: StreamClient, lost: (sentence: string) => void): Promise<void> {
	const ours = await whoIsUp();
	stream.onStatus((status) => void look(status));

	async function look({ state, since, reason }: StreamStatus): Promise<void> {
		if (state === 'incompatible') return lost(reason ?? 'The runner speaks another version.');
		const up = await whoIsUp();
		if (up === null || up !== ours) return lost('The runner has ended, and the run with it.');
		if (state !== 'live' && steadyNow() - since > MOST_SILENCE_MS)
			lost(`The runner does not answer: ${reason ?? 'it is silent'}`);
	}
}

/** Another process is another runner. */
async function whoIsUp(): Promise<string | null> {
	const { reachRunner } = await loadReach();
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok || !reached.value) return null;
	const { pid, startedAt } = reached.value.running;
	return `${pid} ${startedAt}`;
}
