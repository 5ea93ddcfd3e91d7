// The runners of a hub for a face that shows one of them: which are online, and the pending requests of the others.
import type { hub } from '@roost/protocol/contract/hub';
import type { runners } from '@roost/protocol/contract/runners';
import type { RunnerRow } from '@roost/protocol/hub/runners';
import type { RunnerId } from '@roost/protocol/ids';
import type { ClientOf } from '../client-of.ts';
import type { World } from './world.ts';

export type HubOfRunner = {
	api: ClientOf<{ hub: Pick<typeof hub, 'inbox'>; runners: typeof runners }>;
	/** The runner whose sessions are shown. */
	shown: RunnerId;
	/** All runners, as they were listed to choose it. */
	rows: readonly RunnerRow[];
};

export type RunnerFacts = Pick<World, 'runners' | 'elsewhere'>;

export type RunnerWatch = {
	/** Time passed. */
	tick(): void;
};

export const NO_HUB: RunnerFacts = { runners: null, elsewhere: [] };

const INBOX_MS = 2_000;
/** It counts the sessions of every runner, so it is read less often. */
const LIST_MS = 4_000;

/** While the hub does not answer, the last facts stay: the stream reports a lost connection. */
export function watchRunners(deps: {
	hub: HubOfRunner;
	now: () => number;
	onChange: (facts: Partial<RunnerFacts>) => void;
}): RunnerWatch {
	const { hub, now, onChange } = deps;
	const { api, shown } = hub;

	async function readInbox(): Promise<void> {
		const asks = await api.hub.inbox();
		if (asks.ok) onChange({ elsewhere: asks.value.filter(({ runner }) => runner.id !== shown) });
	}

	async function readRunners(): Promise<void> {
		const rows = await api.runners.list();
		if (rows.ok) onChange({ runners: { shown, rows: rows.value } });
	}

	const inbox = createPoll(readInbox, INBOX_MS, now);
	const list = createPoll(readRunners, LIST_MS, now);
	return {
		tick() {
			inbox();
			list();
		},
	};
}

/** Not before the previous reply. */
function createPoll(read: () => Promise<void>, everyMs: number, now: () => number): () => void {
	let readAt = Number.NEGATIVE_INFINITY;
	let isReading = false;
	return () => {
		if (isReading || now() - readAt < everyMs) return;
		isReading = true;
		readAt = now();
		void read().finally(() => {
			isReading = false;
		});
	};
}

/** Undefined without a hub, and for a runner that was revoked. */
export function shownRunner({ runners }: Pick<World, 'runners'>): RunnerRow | undefined {
	return runners?.rows.find(({ id }) => id === runners.shown);
}
