// Figures in the text format of Prometheus: counters, gauges and histograms over buckets that never change.

export type Metric = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; samples(): Sample[] };

type Sample = { suffix?: string; labels?: Record<string, string>; value: number };

export type Counter = Metric & { add(count: number): void };
export type Histogram = Metric & { observe(value: number): void };

export function createCounter(name: string, help: string): Counter {
	let value = 0;
	return {
		name,
		help,
		type: 'counter',
		add(count) {
			value += count;
		},
		samples: () => [{ value }],
	};
}

export function toGauge(name: string, help: string, value: number, labels?: Record<string, string>): Metric {
	return { name, help, type: 'gauge', samples: () => [{ value, ...(labels ? { labels } : {}) }] };
}

/** `bounds` rise; what is above the last one counts only in the sum of all. */
export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
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
