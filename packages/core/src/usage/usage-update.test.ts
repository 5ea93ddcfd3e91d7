import { describe, expect, it } from 'vitest';
import { toUsageUpdate } from './usage-update.ts';

const MILLION = { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

describe('what a session used', () => {
	it('is told by model and in all, with an estimate and the date of its prices', () => {
		const told = toUsageUpdate({ 'claude-opus-5-5': MILLION, 'claude-opus-5': MILLION });
		expect(told.total.input_tokens).toBe(2_000_000);
		expect(told.by_model).toEqual({ 'claude-opus-5-5': MILLION, 'claude-opus-5': MILLION });
		expect(told.cost_usd_estimate).toBeCloseTo(9, 10);
		expect(told.prices_as_of).toBeDefined();
	});

	it('has no estimate where a model has no price', () => {
		expect(toUsageUpdate({ 'claude-opus-5-5': MILLION, unheard: MILLION })).not.toHaveProperty('cost_usd_estimate');
	});
});
