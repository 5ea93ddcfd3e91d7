import { Readable } from 'node:stream';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { readPrompt } from './run-options.ts';

const input = (...chunks: (string | Buffer)[]) => Readable.from(chunks);

describe('prompt of a headless run', () => {
	it('is the argument, or is read from stdin', async () => {
		expect(unwrap(await readPrompt('read it', input('never')))).toBe('read it');
		expect(unwrap(await readPrompt('-', input('read', ' it\n')))).toBe('read it');
		expect(unwrap(await readPrompt(undefined, input('read it')))).toBe('read it');
	});

	it('is decoded correctly from any chunks of stdin', async () => {
		const bytes = Buffer.from('grüße 🐓');
		const cut = [...bytes].map((byte) => Buffer.from([byte]));
		expect(unwrap(await readPrompt('-', input(...cut)))).toBe('grüße 🐓');
	});

	it.each(['', ' \n\t'])('must not be empty: %j', async (text) => {
		expect(unwrapError(await readPrompt(text, input())).message).toMatch(/^The prompt is empty/);
		expect(unwrapError(await readPrompt('-', input(text))).code).toBe('usage');
	});

	it('is required when stdin is a terminal', async () => {
		const terminal = Object.assign(input('never'), { isTTY: true });
		expect(unwrapError(await readPrompt(undefined, terminal)).message).toMatch(/^Missing prompt/);
	});

	it('has a length limit, and endless input is not read to the end', async () => {
		const most = 'x'.repeat(1024 * 1024);
		expect(unwrap(await readPrompt('-', input(most, '\n')))).toBe(most);
		expect(unwrapError(await readPrompt(`${most}x`, input())).message).toMatch(/^The prompt is longer than 1,048,576 characters/);
		let given = 0;
		async function* endless() {
			for (;;) {
				given += 1;
				yield 'x'.repeat(10_000);
			}
		}
		expect(unwrapError(await readPrompt('-', Readable.from(endless()))).code).toBe('usage');
		expect(given).toBeLessThan(1_000);
	});
});
