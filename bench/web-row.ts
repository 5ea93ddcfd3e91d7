// A row of a benchmark in the browser. Its target is a limit in its unit, a ratio to its floor, or none.
import type { BenchRow } from './bench-row.ts';

type Seen = Pick<BenchRow, 'floor' | 'floorValue' | 'value' | 'unit'>;

export function toRow(bar: string, seen: Seen, target: { most?: number; mostRatio?: number } = {}): BenchRow {
	const ratio = seen.value / seen.floorValue;
	const { most, mostRatio } = target;
	if (most !== undefined) return { bar, ...seen, ratio, target: `<= ${most} ${seen.unit}`, met: seen.value <= most };
	if (mostRatio !== undefined) return { bar, ...seen, ratio, target: `<= ${mostRatio}x`, met: ratio <= mostRatio };
	return { bar, ...seen, ratio, target: 'printed', met: true };
}
