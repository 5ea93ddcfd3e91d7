import { describe, expect, it } from 'vitest';
import { createInTurn } from './in-turn.ts';

describe('work queue per key', () => {
	it('starts work after earlier work of the same key, even if that failed', async () => {
		const inTurn = createInTurn<string>();
		const log: string[] = [];
		const gate = Promise.withResolvers<void>();
		const first = inTurn('a', async () => {
			await gate.promise;
			log.push('first');
			throw new Error('broken');
		});
		const second = inTurn('a', async () => log.push('second'));
		await inTurn('b', async () => log.push('other'));
		gate.resolve();
		await expect(first).rejects.toThrow('broken');
		await second;
		expect(log).toEqual(['other', 'first', 'second']);
	});

	it('starts work at once if there is none before it', () => {
		const inTurn = createInTurn<string>();
		let begun = false;
		const done = inTurn('a', async () => {
			begun = true;
		});
		expect(begun).toBe(true);
		return done;
	});
});
