import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorAbove, anchorAtEnd, anchorToShow, type ListShape, visibleFrom } from './window.ts';

const RUNS = process.env.ROOST_SOAK === '1' ? 20_000 : 500;
const heights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
const size = fc.integer({ min: 1, max: 25 });

/** A place in the list: an entry, and one of its lines. */
const placed = heights.chain((list) =>
	fc
		.nat(list.length - 1)
		.chain((index) => fc.record({ list: fc.constant(list), index: fc.constant(index), skip: fc.nat((list[index] ?? 1) - 1) })),
);

describe('list window', () => {
	it('shows the same lines as a slice of all lines', () => {
		fc.assert(
			fc.property(placed, size, ({ list, index, skip }, height) => {
				const all = linesOf(list);
				const start = all.indexOf(`${index}.${skip}`);
				expect(shown({ index, skip }, list, height)).toEqual(all.slice(start, start + height));
			}),
			{ numRuns: RUNS },
		);
	});

	it('ends with the last line when anchored at the end', () => {
		fc.assert(
			fc.property(heights, size, (list, height) => {
				expect(shown(anchorAtEnd(shapeOf(list), height), list, height)).toEqual(linesOf(list).slice(-height));
			}),
			{ numRuns: RUNS },
		);
	});

	it('ends with the requested line, or starts at the top', () => {
		fc.assert(
			fc.property(placed, size, ({ list, index, skip }, height) => {
				const lines = Math.min(skip + 1, height);
				const all = linesOf(list);
				const end = all.indexOf(`${index}.${lines - 1}`) + 1;
				const start = Math.max(0, end - height);
				expect(shown(anchorAbove({ index, lines }, shapeOf(list), height), list, height)).toEqual(
					all.slice(start, start + height),
				);
			}),
			{ numRuns: RUNS },
		);
	});

	it('moves only if needed to show the first line of an entry', () => {
		fc.assert(
			fc.property(placed, fc.nat(29), size, ({ list, index, skip }, wanted, height) => {
				const entry = wanted % list.length;
				const before = shown({ index, skip }, list, height);
				const after = shown(anchorToShow({ index, skip }, entry, shapeOf(list), height), list, height);
				expect(after).toContain(`${entry}.0`);
				if (before.includes(`${entry}.0`)) expect(after).toEqual(before);
			}),
			{ numRuns: RUNS },
		);
	});

	it('measures only the entries near it', () => {
		const asked = new Set<number>();
		const shape: ListShape = {
			count: 100_000,
			heightOf(index) {
				asked.add(index);
				return 1;
			},
		};
		visibleFrom(anchorAtEnd(shape, 40), shape, 40);
		visibleFrom(anchorToShow({ index: 50_000, skip: 0 }, 50_060, shape, 40), shape, 40);
		expect(asked.size).toBeLessThanOrEqual(200);
	});
});

function shapeOf(list: readonly number[]): ListShape {
	return { count: list.length, heightOf: (index) => list[index] ?? 0 };
}

function linesOf(list: readonly number[]): string[] {
	return list.flatMap((height, index) => Array.from({ length: height }, (_, line) => `${index}.${line}`));
}

function shown(anchor: { index: number; skip: number }, list: readonly number[], height: number): string[] {
	return visibleFrom(anchor, shapeOf(list), height).flatMap(({ index, from, lines }) =>
		Array.from({ length: lines }, (_, line) => `${index}.${from + line}`),
	);
}
