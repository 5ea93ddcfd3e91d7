// Numbers with their sums: a Fenwick tree that grows at its end. Every operation takes O(log n).

export type Sums = {
	readonly length: number;
	readonly total: number;
	push(value: number): void;
	get(index: number): number;
	set(index: number, value: number): void;
	/** The sum of the first `count` values. */
	of(count: number): number;
	/** The largest count whose sum is below `limit`, or equal to it. */
	countWithin(limit: number): number;
};

export function createSums(): Sums {
	const values: number[] = [];
	/** From 1: node `i` is the sum of the `lowestBit(i)` values that end with the i-th. */
	const nodes: number[] = [0];
	let total = 0;

	function of(count: number): number {
		let sum = 0;
		for (let at = count; at > 0; at -= lowestBit(at)) sum += nodes[at] ?? 0;
		return sum;
	}

	return {
		get length() {
			return values.length;
		},
		get total() {
			return total;
		},
		push(value) {
			values.push(value);
			const at = values.length;
			let node = value;
			for (let below = at - 1; below > at - lowestBit(at); below -= lowestBit(below)) node += nodes[below] ?? 0;
			nodes.push(node);
			total += value;
		},
		get: (index) => values[index] ?? 0,
		set(index, value) {
			const change = value - (values[index] ?? 0);
			values[index] = value;
			total += change;
			for (let at = index + 1; at <= values.length; at += lowestBit(at)) nodes[at] = (nodes[at] ?? 0) + change;
		},
		of,
		countWithin(limit) {
			let count = 0;
			let left = limit;
			for (let step = 2 ** Math.floor(Math.log2(Math.max(1, values.length))); step >= 1; step /= 2) {
				const node = nodes[count + step];
				if (node === undefined || node > left) continue;
				count += step;
				left -= node;
			}
			return count;
		},
	};
}

function lowestBit(at: number): number {
	return at & -at;
}
