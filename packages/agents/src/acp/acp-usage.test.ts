import { describe, expect, it } from 'vitest';
import { createAcpUsage, nativeUsage, toUsage } from './acp-messages.ts';

const read = (reported: object) => toUsage(nativeUsage.parse(reported));
const one = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0 };

describe('turn usage', () => {
	it.each([
		// The same call, as counted by different real agents.
		[
			'input includes cached tokens',
			{ inputTokens: 1234, outputTokens: 56, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 },
		],
		[
			'cached tokens are separate',
			{ inputTokens: 1034, outputTokens: 56, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 },
		],
		[
			'cached and thought tokens are separate',
			{ inputTokens: 1034, outputTokens: 49, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 },
		],
		[
			'only thought tokens are separate',
			{ inputTokens: 1234, outputTokens: 49, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 },
		],
	])('counts each token once: %s', (_, reported) => {
		expect(read(reported)).toEqual({ ...one, reasoning_tokens: 7 });
	});

	it('reads partial usage and counts invalid numbers as zero', () => {
		expect(read({ inputTokens: 1034, outputTokens: 56, cachedReadTokens: 200, cachedWriteTokens: null })).toEqual(one);
		expect(read({ inputTokens: 'many', outputTokens: -1 })).toMatchObject({ input_tokens: 0, output_tokens: 0 });
	});

	it('is added up by model, from totals per turn or per session', () => {
		const reported = (inputTokens: number) => nativeUsage.parse({ inputTokens, outputTokens: 0, totalTokens: inputTokens });
		const turns = createAcpUsage('turn');
		const session = createAcpUsage('session');
		turns.add('a', reported(5));
		session.add('a', reported(5));
		turns.add('b', reported(2));
		session.add('b', reported(7));
		const sums = { a: { input_tokens: 10 }, b: { input_tokens: 2 } };
		expect(turns.add('a', reported(5))).toMatchObject(sums);
		expect(session.add('a', reported(12))).toMatchObject(sums);
	});
});
