import { figureOf, parsePrometheus } from '@roost/testkit/rigs/api/prometheus-text';
import { describe, expect, it } from 'vitest';
import { createCounter, createHistogram, toGauge, toMetricsText } from './metrics-text.ts';

describe('metrics text', () => {
	it('is valid for a strict parser with any help text and labels', () => {
		const hostile = 'a "b" \\ c\nd{},=# HELP x';
		const text = toMetricsText([
			toGauge('info', `back\\slash and\nnew line`, 1, { name: hostile, version: '1' }),
			createCounter('seen_total', 'Seen.'),
		]);
		const families = parsePrometheus(text);
		expect(families.get('info')?.samples).toEqual([{ name: 'info', labels: { name: hostile, version: '1' }, value: 1 }]);
		expect(figureOf(families, 'seen_total')).toBe(0);
		expect(text.split('\n')).toHaveLength(7);
	});

	it('contains the sum of a counter', () => {
		const counter = createCounter('seen_total', 'Seen.');
		counter.add(2);
		counter.add(3);
		expect(figureOf(parsePrometheus(toMetricsText([counter])), 'seen_total')).toBe(5);
	});

	it('counts a value in the first bucket with a sufficient bound, inclusive, or only in the total', () => {
		const histogram = createHistogram('took_seconds', 'Took.', [0.1, 1]);
		for (const value of [0.05, 0.1, 0.5, 1, 7]) histogram.observe(value);
		const buckets = parsePrometheus(toMetricsText([histogram])).get('took_seconds')?.samples;
		expect(buckets?.map(({ name, labels, value }) => [name, labels.le, value])).toEqual([
			['took_seconds_bucket', '0.1', 2],
			['took_seconds_bucket', '1', 4],
			['took_seconds_bucket', '+Inf', 5],
			['took_seconds_sum', undefined, 8.65],
			['took_seconds_count', undefined, 5],
		]);
	});
});

describe('strict parser', () => {
	it.each([
		['no line end', '# HELP a A.\n# TYPE a gauge\na 1'],
		['no help', '# TYPE a gauge\na 1\n'],
		['no type', '# HELP a A.\na 1\n'],
		['no samples', '# HELP a A.\n# TYPE a gauge\n'],
		['another name', '# HELP a A.\n# TYPE a gauge\nb 1\n'],
		['the same family twice', '# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\na 1\n'],
		['an unterminated quote', '# HELP a A.\n# TYPE a gauge\na{b="c} 1\n'],
		['an unescaped quote', '# HELP a A.\n# TYPE a gauge\na{b="c"d"} 1\n'],
		['a histogram that does not add up', '# HELP a A.\n# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n'],
		['a value that is not a number', '# HELP a A.\n# TYPE a gauge\na undefined\n'],
	])('rejects %s', (_what, text) => {
		expect(() => parsePrometheus(text)).toThrow();
	});
});
