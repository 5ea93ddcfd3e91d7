import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHeights } from './heights.ts';
import { createSums } from './sums.ts';

const ESTIMATE = 28;

describe('heights of rows', () => {
	it('are summed as if they were added one by one', () => {
		const change = fc.record({ at: fc.nat(200), value: fc.integer({ min: 1, max: 400 }) });
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 200 }), fc.array(change), (values, changes) => {
				const sums = createSums();
				for (const value of values) sums.push(value);
				const plain = [...values];
				for (const { at, value } of changes.filter(({ at }) => at < plain.length)) {
					plain[at] = value;
					sums.set(at, value);
				}
				let sum = 0;
				for (const [at, value] of plain.entries()) {
					expect(sums.of(at)).toBe(sum);
					expect(sums.countWithin(sum)).toBe(at);
					expect(sums.countWithin(sum + value - 1)).toBe(at);
					sum += value;
				}
				expect(sums.total).toBe(sum);
				expect(sums.countWithin(sum + 1)).toBe(plain.length);
			}),
		);
	});

	it('find every row by any distance inside it, at both ends', () => {
		const height = fc.integer({ min: 1, max: 200 });
		const sides = fc.record({
			older: fc.array(height, { maxLength: 60 }),
			newer: fc.array(height, { minLength: 1, maxLength: 60 }),
		});
		fc.assert(
			fc.property(sides, ({ older, newer }) => {
				const heights = createHeights(ESTIMATE);
				heights.grow(-older.length, newer.length);
				const rows = [...older.map((value, at) => [at - older.length, value]), ...newer.map((value, at) => [at, value])];
				for (const [place = 0, value = 0] of rows) heights.set(place, value);
				let top = 0;
				for (const [place = 0, value = 0] of rows) {
					expect(heights.top(place)).toBe(top);
					expect(heights.at(top)).toBe(place);
					expect(heights.at(top + value - 1)).toBe(place);
					top += value;
				}
				expect(heights.total).toBe(top);
				expect(heights.at(top + 1_000)).toBe(newer.length - 1);
				expect(heights.at(-1)).toBe(0 - older.length);
			}),
		);
	});

	it('grow at both ends without moving the rows between them', () => {
		const heights = createHeights(ESTIMATE);
		heights.grow(0, 10);
		heights.set(3, 100);
		const before = heights.top(5);
		heights.grow(-4, 12);
		expect(heights.top(5) - heights.top(0)).toBe(before);
		expect(heights.top(0)).toBe(4 * ESTIMATE);
		expect(heights.set(3, 100)).toBe(false);
		expect(heights.set(40, 1)).toBe(false);
	});
});
