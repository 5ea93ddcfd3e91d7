// A session in sum, its runs, and the tokens it used.

import { money } from '@roost/core/display/amounts';
import { because } from '@roost/core/display/first-line';
import { plural } from '@roost/core/display/plural';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { RunCounters } from '@roost/protocol/feed/session';
import { markdownRows } from '../parts/markdown.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer, Sign } from './renderer.ts';
import { titled } from './rows.ts';

/** A session in sum: how much there was, and what the agent said last. */
export const sessionSummary: Renderer<'session.summary'> = {
	sign: ({ data }) => (data.error ? { glyph: 'failed', tone: 'bad' } : { glyph: 'bullet', tone: 'faint' }),
	line: ({ data }) => row(span(`Summary: ${plural(data.messages, 'message')}, ${plural(data.tool_calls, 'tool call')}`, 'faint')),
	body: (event, { styles }, width) =>
		event.data.error || event.data.last_assistant_text ? summaryRows(event, width, styles) : undefined,
};

function* summaryRows({ data }: FeedEventOf<'session.summary'>, width: number, styles: Styles): Generator<Row> {
	if (data.error) yield* wrapped(data.error, width, 'bad');
	if (data.last_assistant_text) yield* markdownRows(data.last_assistant_text, width, styles);
}

/** The agent began to work. */
export const runStart: Renderer<'run.start'> = titled('bullet', 'faint', ({ data: { trigger } }) =>
	// What started it, a prompt or a notice, follows at once.
	trigger.type === 'resume' ? `Run started${because(trigger.prompt_preview)}` : 'Run started',
);

const SIGNS: Record<FeedEventOf<'run.end'>['data']['status'], Sign> = {
	completed: { glyph: 'ok', tone: 'good' },
	failed: { glyph: 'failed', tone: 'bad' },
	aborted: { glyph: 'ended', tone: 'warn' },
};

/** The agent finished, failed or was stopped; with what it took. */
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

/** Tokens so far, by model, and what they are likely to cost. */
export const usageUpdate: Renderer<'usage.update'> = {
	sign: () => ({ glyph: 'bullet', tone: 'faint' }),
	line: ({ data }) => row(span(`Usage: ${data.total.input_tokens} in, ${data.total.output_tokens} out${cost(data)}`, 'faint')),
	body: ({ data }, _, width) => usageRows(data, width),
};

type Usage = FeedEventOf<'usage.update'>['data'];

function* usageRows(data: Usage, width: number): Generator<Row> {
	yield* wrapped(`all: ${tokensOf(data.total)}`, width);
	for (const [model, usage] of Object.entries(data.by_model)) yield* hanging([], `${model}: ${tokensOf(usage)}`, width, 'faint');
	if (data.prices_as_of) yield* wrapped(`prices as of ${data.prices_as_of}`, width, 'faint');
}

function tokensOf(usage: TokenUsage): string {
	const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens = 0 } = usage;
	const reasoning = reasoning_tokens > 0 ? ` (${reasoning_tokens} reasoning)` : '';
	return `${input_tokens} in, ${output_tokens} out${reasoning}, ${cache_read_tokens} read from the cache, ${cache_write_tokens} written to it`;
}

function cost({ cost_usd_estimate: usd }: Usage): string {
	return usd === undefined ? '' : `, ${money(usd)}`;
}
