// An estimate is the list price of the usage, and names models without a price.
import { describe, expect, it } from 'vitest';
import { estimateCost, PRICES_AS_OF, toUsageUpdate } from './prices.ts';

const MILLION = {
	input_tokens: 1_000_000,
	output_tokens: 1_000_000,
	cache_read_tokens: 1_000_000,
	cache_write_tokens: 1_000_000,
};

describe('cost estimate', () => {
	it('is zero without usage, and includes the date of its prices', () => {
		expect(estimateCost({})).toEqual({ usd: 0, pricesAsOf: PRICES_AS_OF, unpriced: [] });
		expect(Number.isNaN(Date.parse(PRICES_AS_OF))).toBe(false);
	});

	it('adds up input, output, cache reads and cache writes, each at its own price', () => {
		expect(estimateCost({ 'claude-opus-5-5': MILLION }).usd).toBeCloseTo(4 + 20 + 0.2 + 5, 10);
	});

	it('prices dated releases like their family', () => {
		const dated = estimateCost({ 'claude-haiku-4-5-20251001': MILLION });
		expect(dated).toEqual(estimateCost({ 'claude-haiku-4-5': MILLION }));
		expect(dated.usd).toBeCloseTo(1 + 5 + 0.1 + 1.25, 10);
	});

	it('prices OpenAI models and dated releases, with the older date if both price lists are used', () => {
		const estimate = estimateCost({ 'gpt-5.3-codex': MILLION });
		// Cache writes are billed as input for these models.
		expect(estimate.usd).toBeCloseTo(1.75 + 14 + 0.175 + 1.75, 10);
		expect(estimate.pricesAsOf < PRICES_AS_OF).toBe(true);
		expect(estimateCost({ 'gpt-5-nano-2025-08-07': MILLION })).toEqual(estimateCost({ 'gpt-5-nano': MILLION }));
		expect(estimateCost({ 'claude-opus-5': MILLION, 'gpt-5-nano': MILLION }).pricesAsOf).toBe(estimate.pricesAsOf);
	});

	it('recognizes an Anthropic model by its Copilot name', () => {
		expect(estimateCost({ 'claude-opus-4.6': MILLION }).usd).toBe(estimateCost({ 'claude-opus-4-6': MILLION }).usd);
	});

	it('charges reasoning only once, as part of the output', () => {
		const thought = { ...MILLION, reasoning_tokens: 900_000 };
		expect(estimateCost({ 'gpt-5.2': thought }).usd).toBe(estimateCost({ 'gpt-5.2': MILLION }).usd);
	});

	it('lists models without a price and never guesses from similar names', () => {
		const models = [
			'gpt-5.4',
			'gpt-6.1-sol',
			'gpt-5.3-codex-spark',
			'gpt-5-2',
			'claude-opus-5-9',
			'claude-opus-5-5-fast',
			'claude-sonnet-5-5',
			'us.anthropic.claude-opus-5-5',
			'__proto__',
		];
		const usage = Object.fromEntries(models.map((model) => [model, MILLION]));
		expect(estimateCost(usage)).toEqual({ usd: 0, pricesAsOf: PRICES_AS_OF, unpriced: models });
	});

	it('prices the known models and lists the unknown ones', () => {
		const estimate = estimateCost({ 'claude-opus-5': MILLION, 'gpt-next': MILLION });
		expect(estimate.usd).toBeCloseTo(5 + 25 + 0.5 + 6.25, 10);
		expect(estimate.unpriced).toEqual(['gpt-next']);
	});
});

const USED = { input_tokens: 1_000_000, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };

describe('usage update of a session', () => {
	it('contains the usage by model and in total, with an estimate and the date of its prices', () => {
		const update = toUsageUpdate({ 'claude-opus-5-5': USED, 'claude-opus-5': USED });
		expect(update.total.input_tokens).toBe(2_000_000);
		expect(update.by_model).toEqual({ 'claude-opus-5-5': USED, 'claude-opus-5': USED });
		expect(update.cost_usd_estimate).toBeCloseTo(9, 10);
		expect(update.prices_as_of).toBeDefined();
	});

	it('has no estimate if a model has no price', () => {
		expect(toUsageUpdate({ 'claude-opus-5-5': USED, unknown: USED })).not.toHaveProperty('cost_usd_estimate');
	});
});
