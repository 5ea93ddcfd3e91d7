// Columns for people: as wide as they need to be, the last one free.
import { sanitiseLine } from '@roost/core/display/sanitise';

export function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
	const all = [header, ...rows].map((row) => row.map((cell) => sanitiseLine(cell)));
	const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	return all
		.map((row) =>
			row
				.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
