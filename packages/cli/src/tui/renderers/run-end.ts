// The agent finished, failed or was stopped; with what it took.

import { because } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RunCounters } from '@roost/protocol/feed/session';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Renderer, Sign } from './renderer.ts';

const SIGNS: Record<FeedEventOf<'run.end'>['data']['status'], Sign> = {
	completed: { glyph: 'ok', tone: 'good' },
	failed: { glyph: 'failed', tone: 'bad' },
	aborted: { glyph: 'ended', tone: 'warn' },
};

export const runEnd: Renderer<'run.end'> = {
	sign: ({ data }) => SIGNS[data.status],
	line: ({ data }) => {
		const { tone } = SIGNS[data.status];
		const counted = countersOf(data.counters);
		return row(span(`Run ${data.status}${because(data.reason)}`, tone), ...(counted ? [span(`  ${counted}`, 'faint')] : []));
	},
	body: ({ data }, _, width) => endRows(data, width),
};

function* endRows(data: FeedEventOf<'run.end'>['data'], width: number): Generator<Row> {
	if (data.reason) yield* wrapped(data.reason, width);
	for (const [name, count] of counts(data.counters)) yield* wrapped(`${name}: ${count}`, width, count > 0 ? undefined : 'faint');
}

function countersOf(counters: RunCounters): string {
	return counts(counters)
		.filter(([, count]) => count > 0)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');
}

function counts(counters: RunCounters): readonly (readonly [string, number])[] {
	return [
		['tool calls', counters.tool_uses],
		['failed', counters.tool_failures],
		['permission requests', counters.permission_requests],
		['blocked', counters.blocks],
	];
}
