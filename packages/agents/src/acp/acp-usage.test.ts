import { describe, expect, it } from 'vitest';
import { createAcpUsage, nativeUsage, toUsage } from './acp-messages.ts';

const read = (told: object) => toUsage(nativeUsage.parse(told));
const one = { input_tokens: 1034, output_tokens: 56, cache_read_tokens: 200, cache_write_tokens: 0 };

describe('what a turn used', () => {
	it.each([
		// As the real agents were heard to count one and the same call.
		[
			'cached tokens among the input',
			{ inputTokens: 1234, outputTokens: 56, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 },
		],
		['cached tokens apart', { inputTokens: 1034, outputTokens: 56, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 }],
		['thoughts apart too', { inputTokens: 1034, outputTokens: 49, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 }],
		['only thoughts apart', { inputTokens: 1234, outputTokens: 49, totalTokens: 1290, thoughtTokens: 7, cachedReadTokens: 200 }],
	])('holds each token once: %s', (_, told) => {
		expect(read(told)).toEqual({ ...one, reasoning_tokens: 7 });
	});

	it('is read as far as it is told', () => {
		expect(read({ inputTokens: 1034, outputTokens: 56, cachedReadTokens: 200, cachedWriteTokens: null })).toEqual(one);
		expect(read({ inputTokens: 'many', outputTokens: -1 })).toMatchObject({ input_tokens: 0, output_tokens: 0 });
	});

	it('is added up, by model, also where an agent tells the sum of its session each time', () => {
		const told = (inputTokens: number) => nativeUsage.parse({ inputTokens, outputTokens: 0, totalTokens: inputTokens });
		const turns = createAcpUsage('turn');
		const session = createAcpUsage('session');
		turns.add('a', told(5));
		session.add('a', told(5));
		turns.add('b', told(2));
		session.add('b', told(7));
		const sums = { a: { input_tokens: 10 }, b: { input_tokens: 2 } };
		expect(turns.add('a', told(5))).toMatchObject(sums);
		expect(session.add('a', told(12))).toMatchObject(sums);
	});
});
