// Counters of runs and tokens in words.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import type { RunCounters } from '@roost/protocol/feed/session';

/** Only what was counted: "3 tool calls, 1 failed". */
export function counterWords(counters: RunCounters): string {
	return namedCounters(counters)
		.filter(([, count]) => count > 0)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');
}

export function namedCounters(counters: RunCounters): readonly (readonly [string, number])[] {
	return [
		['tool calls', counters.tool_uses],
		['failed', counters.tool_failures],
		['permission requests', counters.permission_requests],
		['blocked', counters.blocks],
	];
}

export function tokenWords(usage: TokenUsage): string {
	const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens = 0 } = usage;
	const reasoning = reasoning_tokens > 0 ? ` (${reasoning_tokens} reasoning)` : '';
	return `${input_tokens} in, ${output_tokens} out${reasoning}, ${cache_read_tokens} read from the cache, ${cache_write_tokens} written to it`;
}
