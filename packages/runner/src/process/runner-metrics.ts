// The metrics of a runner, and wrappers that time its store and its hook server.
import type { HookServer } from '@roost/agents/hooks/server';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { GatewayFigures } from '@roost/gateway/gateway';
import { createCounter, createHistogram, toGauge, toMetricsText, toSeconds } from '@roost/gateway/http/metrics-text';
import type { BackendUpdate } from '@roost/gateway/operations/backend';
import type { AskState } from '@roost/protocol/ask';
import type { Store } from '@roost/store/store';

export type RunnerMetrics = {
	updated(update: Pick<BackendUpdate, 'entries' | 'asks'>): void;
	hookAnswered(ms: number): void;
	appended(ms: number): void;
	write(now: GatewayFigures & { asksOpen: number }): string;
};

/** In seconds. */
const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const HUMAN = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

const DECIDED: ReadonlySet<AskState> = new Set(['allowed', 'denied', 'answered', 'answered-elsewhere']);

export function createRunnerMetrics(runner: { name: string; version: string }): RunnerMetrics {
	const events = createCounter('roost_events_total', 'Events stored since the runner started.');
	const decision = createHistogram('roost_decision_seconds', 'Time from opening a request to its decision.', HUMAN);
	const hook = createHistogram(
		'roost_hook_seconds',
		"Time from an agent's report to the reply, without requests to people.",
		FAST,
	);
	const append = createHistogram('roost_append_seconds', 'Time to store events on disk.', FAST);
	return {
		updated({ entries, asks }) {
			events.add(entries.length);
			for (const { state, openedAt, decidedAt } of asks) {
				if (decidedAt !== undefined && DECIDED.has(state)) decision.observe(toSeconds(decidedAt - openedAt));
			}
		},
		hookAnswered: (ms) => hook.observe(toSeconds(ms)),
		appended: (ms) => append.observe(toSeconds(ms)),
		write({ asksOpen, clients, lag }) {
			const lagged = createCounter('roost_lagged_total', 'Times a slow client was moved to reading from the log.');
			lagged.add(lag.times);
			return toMetricsText([
				toGauge('roost_runner_info', 'The runner that reports these metrics.', 1, runner),
				events,
				toGauge('roost_asks_open', 'Pending requests.', asksOpen),
				decision,
				hook,
				append,
				toGauge('roost_clients', 'Clients of the event stream.', clients),
				lagged,
				toGauge('roost_lag_bytes', 'Largest amount of unsent data for one client.', lag.bytes),
			]);
		},
	};
}

type WatchDeps = { now: () => number; onAnswered: (ms: number) => void };

/** Times the replies of a hook server. Decisions of people are not counted. */
export function watchHooks(server: HookServer, deps: WatchDeps): HookServer {
	return {
		...server,
		openLaunch: (launch) => watched(server.openLaunch(launch), deps),
		resumeLaunch: (launch) => watched(server.resumeLaunch(launch), deps),
	};
}

function watched<T extends { readonly runtime: Runtime }>(launch: T, { now, onAnswered }: WatchDeps): T {
	const since = new Map<string, number>();
	launch.runtime.onEvent(({ id, interaction }) => {
		if (interaction.expectsDecision) since.set(id, now());
	});
	launch.runtime.onDecision((id, { source }) => {
		const from = since.get(id);
		since.delete(id);
		if (from !== undefined && source === 'rule') onAnswered(now() - from);
	});
	return launch;
}

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
