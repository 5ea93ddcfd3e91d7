// Rows of the benchmarks of a hub.
import type { BenchRow } from './bench-row.ts';

type Measured = { bar: string; floor: string; value: number; floorValue: number };

/** Larger is better. */
export function rateRow(measured: Measured, least: number, unit = 'lines/s'): BenchRow {
	const ratio = measured.value / measured.floorValue;
	return { ...measured, unit, ratio, target: `>= ${least}x`, met: ratio >= least };
}

/** Smaller is better. */
export function costRow(measured: Measured, most: number, unit = 'ms'): BenchRow {
	const ratio = measured.value / measured.floorValue;
	return { ...measured, unit, ratio, target: `<= ${most}x`, met: ratio <= most };
}

export function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
