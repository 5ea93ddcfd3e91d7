// Tokens so far, by model, and what they are likely to cost.

import { money } from '@roost/core/display/amounts';
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

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
