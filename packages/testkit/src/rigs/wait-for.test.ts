import { expect, it } from 'vitest';
import { waitFor, waitForLength } from './wait-for.ts';

it('returns the first value that is not undefined, including falsy ones', async () => {
	const answers = [undefined, undefined, 0, 1];
	expect(await waitFor(() => answers.shift(), { what: 'an answer' })).toBe(0);
});

it('reports the expected and the last seen value on timeout', async () => {
	const late = waitFor(() => undefined, { deadlineMs: 1, what: 'the moon', seen: async () => ({ stars: 3 }) });
	await expect(late).rejects.toThrow('waited 1 ms for the moon; seen last: {"stars":3}');
});

it('fails at once when the check throws', async () => {
	const broken = () => {
		throw new Error('no such moon');
	};
	await expect(waitFor(broken, { what: 'the moon' })).rejects.toThrow('no such moon');
});

it('waits until a list has the expected length', async () => {
	const list = [1];
	setImmediate(() => list.push(2));
	await waitForLength(list, 2);
	expect(list).toEqual([1, 2]);
});
