// Every shape of secret in every notation, and secrets split between pieces.
import { createHash } from 'node:crypto';
import { createSecretShapes, leakOf } from '@roost/testkit/corpora/secret-shapes';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';
import { createTextStream } from './redact-stream.ts';

const { redact } = createRedactor((text) => createHash('sha256').update(text).digest('hex'));
const SHAPES = createSecretShapes(7);

describe('secret shapes', () => {
	it('are at least 98, with unique names', () => {
		expect(SHAPES.length).toBeGreaterThanOrEqual(98);
		expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
	});

	it.each(SHAPES)('$name leaks nothing from a value, a key, a list or a longer text', ({ text, secret }) => {
		for (const value of [
			text,
			{ command: text },
			{ [text]: 1 },
			[['a', text]],
			`first line\n${text}\nlast line`,
			JSON.stringify({ stdout: text }),
			`${'some words, '.repeat(30)}\n${text}\n${'and more '.repeat(30)}`,
		]) {
			const found = redact(value);
			expect(leakOf(secret, JSON.stringify(found.value)), `${JSON.stringify(found.value)}`).toBeUndefined();
			expect(found.redactions.length).toBeGreaterThan(0);
		}
	});

	it.each(SHAPES)('$name is found with every seed of the generator', ({ name }) => {
		for (const seed of [1, 2, 3, 4, 5]) {
			const again = createSecretShapes(seed).find((shape) => shape.name === name);
			expect(leakOf(again?.secret ?? '', redact(again?.text ?? '').value), again?.text).toBeUndefined();
		}
	});
});

describe('split secret', () => {
	it.each(SHAPES)('leaks nothing when split at any position into two pieces of a stream: $name', ({ text, secret }) => {
		const whole = `before it\n${text}\nafter it, and on.`;
		for (let at = 1; at < whole.length; at++) {
			const stream = createTextStream();
			const shown = [stream.add(whole.slice(0, at)), stream.add(whole.slice(at)), stream.end()].map(
				(piece) => redact(piece).value,
			);
			expect(leakOf(secret, shown.join('')), `cut at ${at}: ${shown.join('|')}`).toBeUndefined();
		}
	});

	it.each(SHAPES)('leaks nothing when streamed character by character: $name', ({ text, secret }) => {
		const stream = createTextStream();
		const shown = [...`before\n${text}\nafter`].map((character) => redact(stream.add(character)).value);
		expect(leakOf(secret, shown.join('') + redact(stream.end()).value)).toBeUndefined();
	});

	it('does not hold back complete words of ordinary text', () => {
		const stream = createTextStream();
		const shown = ['All is ', 'well with', ' the build.\n', 'Next'].map((piece) => stream.add(piece));
		expect(shown).toEqual(['All is ', 'well ', 'with the build.\n', '']);
		expect(stream.end()).toBe('Next');
	});
});
