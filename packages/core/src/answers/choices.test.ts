import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { CHOICES, canChoose, firstChoice } from './choices.ts';

describe('choices', () => {
	it.each([
		['low', 'allow'],
		['medium', 'allow'],
		['high', 'deny'],
	] as const)('start at %s risk with %s', (risk, name) => {
		expect(CHOICES[firstChoice({ risk })]?.name).toBe(name);
	});

	it('have different keys', () => {
		expect(new Set(CHOICES.map(({ key }) => key)).size).toBe(CHOICES.length);
	});

	it('offer no editing of an input with a redacted secret', () => {
		const ask = sampleAsk('a', { tool: 'Bash', input: { command: 'curl -u [redacted:password] x' } });
		expect(CHOICES.filter((choice) => !canChoose(choice, ask)).map(({ name }) => name)).toEqual(['edit']);
	});
});
