// Tokens are counted once per model message, for any repeats and any order.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUsageTally, type MessageUsage, tallyMessage, totalUsage, toUsageByModel } from './tally.ts';

describe('usage tally', () => {
	it('counts a message once, with its last report', () => {
		const usage = tallied([
			{ messageId: 'm1', model: 'big', usage: tokens(10, 1) },
			{ messageId: 'm1', model: 'big', usage: tokens(10, 7) },
		]);
		expect(usage).toEqual({ big: tokens(10, 7) });
	});

	it('adds up by model and in total', () => {
		const usage = tallied([
			{ messageId: 'm1', model: 'big', usage: tokens(1, 2, 3, 4) },
			{ messageId: 'm2', model: 'big', usage: tokens(10, 20, 30, 40) },
			{ messageId: 'm3', model: 'small', usage: tokens(100, 200, 300, 400) },
		]);
		expect(usage).toEqual({ big: tokens(11, 22, 33, 44), small: tokens(100, 200, 300, 400) });
		expect(totalUsage(usage)).toEqual(tokens(111, 222, 333, 444));
	});

	it('counts each report without an id separately', () => {
		const report = { model: 'big', usage: tokens(1, 1) };
		expect(tallied([report, report])).toEqual({ big: tokens(2, 2) });
	});

	it('moves a message to the last reported model', () => {
		const usage = tallied([
			{ messageId: 'm1', model: 'small', usage: tokens(5, 5) },
			{ messageId: 'm1', model: 'big', usage: tokens(5, 5) },
		]);
		expect(usage).toEqual({ big: tokens(5, 5) });
	});

	it('does not change when reports are repeated', () => {
		fc.assert(
			fc.property(fc.array(anyReport()), fc.array(fc.nat({ max: 4 })), (reports, repeats) => {
				const repeated = reports.flatMap((report, index) => Array.from({ length: 1 + (repeats[index] ?? 0) }, () => report));
				expect(tallied(repeated)).toEqual(tallied(reports));
			}),
		);
	});

	it('equals the sum of the last reports of all messages', () => {
		fc.assert(
			fc.property(fc.array(anyReport()), (reports) => {
				const last = new Map(reports.map((report) => [report.messageId, report]));
				expect(totalUsage(tallied(reports))).toEqual(totalUsage(tallied([...last.values()])));
			}),
		);
	});
});

function tallied(reports: readonly MessageUsage[]) {
	const tally = createUsageTally();
	for (const report of reports) tallyMessage(tally, report);
	return toUsageByModel(tally);
}

function tokens(input: number, output: number, read = 0, write = 0): TokenUsage {
	return { input_tokens: input, output_tokens: output, cache_read_tokens: read, cache_write_tokens: write };
}

function anyReport(): fc.Arbitrary<MessageUsage> {
	return fc.record({
		messageId: fc.constantFrom('m1', 'm2', 'm3', '__proto__'),
		model: fc.constantFrom('big', 'small', '__proto__'),
		usage: fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()).map((counts) => tokens(...counts)),
	});
}
