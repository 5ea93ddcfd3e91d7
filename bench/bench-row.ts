// One line of the printed table: a figure, the floor it was measured against in the same run, and whether it is good enough.
export type BenchRow = {
	bar: string;
	floor: string;
	floorValue: number;
	value: number;
	unit: string;
	ratio: number;
	/** What it costs on top of the floor, in the same unit. */
	added?: number;
	target: string;
	met: boolean;
};
