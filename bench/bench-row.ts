// One row of the printed table: a value, its floor in the same run, and whether it meets its target.
export type BenchRow = {
	bar: string;
	floor: string;
	floorValue: number;
	value: number;
	unit: string;
	ratio: number;
	/** The difference to the floor, in the same unit. */
	added?: number;
	target: string;
	met: boolean;
};
