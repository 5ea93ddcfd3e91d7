// Counters, gauges and histograms, in the text format of Prometheus.

export type Metric = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; samples(): Sample[] };

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

export function toSeconds(ms: number): number {
	return Math.max(0, ms) / 1_000;
}
