// Rows that are made when they are needed, and only once.
import type { Row } from '../screen/row.ts';

export type LazyRows = {
	take(from: number, count: number): readonly Row[];
	/** Stops counting at the limit. */
	count(limit: number): number;
};

export function createLazyRows(source: Iterable<Row>): LazyRows {
	const made: Row[] = [];
	const coming = source[Symbol.iterator]();
	let ended = false;

	function makeUpTo(count: number): void {
		while (!ended && made.length < count) {
			const next = coming.next();
			if (next.done) ended = true;
			else made.push(next.value);
		}
	}

	return {
		take(from, count) {
			makeUpTo(from + count);
			return made.slice(from, from + count);
		},
		count(limit) {
			makeUpTo(limit);
			return Math.min(limit, made.length);
		},
	};
}
