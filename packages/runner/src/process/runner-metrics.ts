// The metrics of a runner, and wrappers that time its store and its hook server.
import type { HookServer } from '@roost/agents/hooks/server';
import type { Runtime } from '@roost/core/runtime/runtime';
import type { GatewayFigures } from '@roost/gateway/gateway';
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

function toSeconds(ms: number): number {
	return Math.max(0, ms) / 1_000;
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

type Metric = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; samples(): Sample[] };

type Sample = { suffix?: string; labels?: Record<string, string>; value: number };

export function createCounter(name: string, help: string): Metric & { add(count: number): void } {
	let value = 0;
	const add = (count: number) => {
		value += count;
	};
	return { name, help, type: 'counter', add, samples: () => [{ value }] };
}

export function toGauge(name: string, help: string, value: number, labels?: Record<string, string>): Metric {
	return { name, help, type: 'gauge', samples: () => [{ value, ...(labels ? { labels } : {}) }] };
}

/** `bounds` are ascending; larger values count in `+Inf` only. */
export function createHistogram(
	name: string,
	help: string,
	bounds: readonly number[],
): Metric & { observe(value: number): void } {
	const counts = bounds.map(() => 0);
	let count = 0;
	let sum = 0;

	function samples(): Sample[] {
		let below = 0;
		const buckets = bounds.map((bound, at): Sample => {
			below += counts[at] ?? 0;
			return { suffix: '_bucket', labels: { le: String(bound) }, value: below };
		});
		return [
			...buckets,
			{ suffix: '_bucket', labels: { le: '+Inf' }, value: count },
			{ suffix: '_sum', value: sum },
			{ suffix: '_count', value: count },
		];
	}
	return {
		name,
		help,
		type: 'histogram',
		observe(value) {
			const at = bounds.findIndex((bound) => value <= bound);
			if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
			count += 1;
			sum += value;
		},
		samples,
	};
}

export function toMetricsText(metrics: readonly Metric[]): string {
	return metrics.map(toFamily).join('');
}

function toFamily(metric: Metric): string {
	const { name, help, type } = metric;
	const lines = metric.samples().map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${toLabels(labels)} ${value}`);
	return [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function toLabels(labels: Record<string, string>): string {
	const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
	return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeHelp(text: string): string {
	return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(text: string): string {
	return escapeHelp(text).replaceAll('"', '\\"');
}
