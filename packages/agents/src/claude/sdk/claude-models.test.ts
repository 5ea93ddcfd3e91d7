import { describe, expect, it } from 'vitest';
import { toModelChoice } from './claude-connection.ts';

const OFFERED = [
	{ value: 'default', resolvedModel: 'claude-opus-5-5' },
	{ value: 'sonnet' },
	{ value: 'sonett', resolvedModel: 'sonett' },
];

describe('Claude models', () => {
	it.each([
		['sonnet', true],
		['sonnet[1m]', true],
		['opusplan', true],
		['claude-opus-4-1', true],
		['us.anthropic.claude-opus-5-5-v1:0', true],
		['vendor/model', true],
		['house-model', true],
		['sonett', false],
		['gpt-5', false],
	])('accept %s: %j', (name, isKnown) => {
		const choice = toModelChoice(OFFERED, { ANTHROPIC_MODEL: 'house-model', ANTHROPIC_API_KEY: 'gpt-5' });
		expect(choice?.has(name)).toBe(isKnown);
		expect(choice?.names).toEqual(['default', 'sonnet']);
	});

	it('are null if Claude offers none', () => {
		expect(toModelChoice([], {})).toBeNull();
	});
});
