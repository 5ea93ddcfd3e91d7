// The metrics of a hub, and wrappers that count what its storage does.
import { createCounter, createHistogram, toGauge, toMetricsText, toSeconds } from '@roost/gateway/http/metrics-text';
import type { AppError } from '@roost/protocol/app-error';
import type { Result } from '@roost/protocol/result';
import type { KnownRunner } from './runners/known-runners.ts';
import type { Lanes } from './runners/lanes.ts';
import type { HubStore } from './store/hub-store.ts';

export type HubMetrics = {
	/** The same storage, counted. */
	watchStore(store: HubStore): HubStore;
	/** The same lanes, timed: from the arrival of a batch until it is on disk. */
	watchLanes(lanes: Lanes): Lanes;
	write(now: HubFigures): string;
};

export type HubFigures = {
	runners: readonly Pick<KnownRunner, 'link' | 'announced' | 'lastSeqNo'>[];
	commandsOpen: number;
	links: number;
	clients: number;
	lag: { times: number; bytes: number };
};

/** In seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const OF_STORE: ReadonlySet<AppError['code']> = new Set(['store_unavailable', 'store_busy', 'corrupt', 'schema_too_new']);

export function createHubMetrics(hub: { name: string; version: string }, now: () => number): HubMetrics {
	const lines = createCounter('roost_hub_lines_total', 'Lines of runners stored since the hub started.');
	const batches = createCounter('roost_hub_batches_total', 'Batches of runners stored since the hub started.');
	const failures = createCounter('roost_hub_store_errors_total', 'Failed calls of the database since the hub started.');
	const ack = createHistogram('roost_hub_ack_seconds', 'Time from the arrival of a batch until it is on disk.', BOUNDS);

	function count(result: unknown): void {
		if (isFailure(result) && OF_STORE.has(result.error.code)) failures.add(1);
	}

	return {
		watchStore: ({ logs, rows, runners, commands, people, audit, ...store }) => ({
			...store,
			logs: {
				...watched(logs, count),
				async take(batch) {
					const taken = await logs.take(batch);
					count(taken);
					if (taken.ok) batches.add(1);
					if (taken.ok) lines.add(taken.value.added.length);
					return taken;
				},
			},
			rows: watched(rows, count),
			runners: watched(runners, count),
			commands: watched(commands, count),
			people: watched(people, count),
			audit: watched(audit, count),
		}),
		watchLanes: ({ run }) => ({
			async run(lane, work) {
				const from = now();
				try {
					return await run(lane, work);
				} finally {
					ack.observe(toSeconds(now() - from));
				}
			},
		}),
		write({ runners, commandsOpen, links, clients, lag }) {
			const behind = runners.map(({ announced, lastSeqNo }) => Math.max(0, announced - lastSeqNo));
			const lagged = createCounter('roost_hub_lagged_total', 'Times a slow client was moved to reading from the log.');
			lagged.add(lag.times);
			return toMetricsText([
				toGauge('roost_hub_info', 'The hub that reports these metrics.', 1, hub),
				toGauge('roost_hub_runners', 'Runners that are paired.', runners.length),
				toGauge('roost_hub_runners_online', 'Runners that are connected here.', runners.filter(({ link }) => link).length),
				toGauge('roost_hub_links', 'Connections of runners.', links),
				lines,
				batches,
				ack,
				toGauge('roost_hub_behind_lines', 'Lines that runners have and the hub does not, as far as it was told.', sum(behind)),
				toGauge('roost_hub_commands_open', 'Commands that wait for their runner.', commandsOpen),
				failures,
				toGauge('roost_hub_clients', 'Clients of the event stream.', clients),
				lagged,
				toGauge('roost_hub_lag_bytes', 'Largest amount of unsent data for one client.', lag.bytes),
			]);
		},
	};
}

/** Each method of a part, with its result reported. */
function watched<T extends object>(part: T, onResult: (result: unknown) => void): T {
	const methods = Object.entries(part).map(([name, call]: [string, (...args: unknown[]) => Promise<unknown>]) => {
		const counted = async (...args: unknown[]) => {
			const result = await call(...args);
			onResult(result);
			return result;
		};
		return [name, counted];
	});
	return { ...part, ...Object.fromEntries(methods) };
}

function isFailure(result: unknown): result is Extract<Result<unknown>, { ok: false }> {
	return typeof result === 'object' && result !== null && 'ok' in result && result.ok === false;
}

function sum(values: readonly number[]): number {
	return values.reduce((all, value) => all + value, 0);
}
