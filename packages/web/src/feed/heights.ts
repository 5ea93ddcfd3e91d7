// Where each row of a list begins. Rows have fixed places: the list grows at both ends, older rows have negative places.
import { createSums } from './sums.ts';

export type Heights = {
	readonly total: number;
	/** The list has the places from `first` to `end`, without `end`. It never becomes shorter. */
	grow(first: number, end: number): void;
	/** Returns whether it changed. */
	set(place: number, height: number): boolean;
	/** The distance from the beginning of the list to the top of this row. */
	top(place: number): number;
	/** The row at this distance; the first or last one beyond the ends. */
	at(distance: number): number;
};

/** `estimate`: the height of a row that was not measured yet. */
export function createHeights(estimate: number): Heights {
	const newer = createSums();
	/** The nearest first. */
	const older = createSums();
	const sumsOf = (place: number) => (place < 0 ? older : newer);
	const indexOf = (place: number) => (place < 0 ? -1 - place : place);

	return {
		get total() {
			return older.total + newer.total;
		},
		grow(first, end) {
			while (older.length < -first) older.push(estimate);
			while (newer.length < end) newer.push(estimate);
		},
		set(place, height) {
			const sums = sumsOf(place);
			const index = indexOf(place);
			if (index >= sums.length || sums.get(index) === height) return false;
			sums.set(index, height);
			return true;
		},
		top: (place) => (place < 0 ? older.total - older.of(-place) : older.total + newer.of(place)),
		at(distance) {
			if (distance >= older.total || older.length === 0) {
				return Math.min(newer.countWithin(Math.max(0, distance - older.total)), Math.max(0, newer.length - 1));
			}
			// The row whose bottom is the first one above the middle by no more than this.
			const fromMiddle = older.total - Math.max(0, distance);
			const before = older.countWithin(fromMiddle);
			const index = older.of(before) === fromMiddle ? before - 1 : before;
			return -1 - Math.min(index, older.length - 1);
		},
	};
}
