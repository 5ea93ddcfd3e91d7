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

/** How long ago, in the largest unit that fits. */
export function age(since: number, now: number): string {
	const seconds = Math.max(0, Math.round((now - since) / 1000));
	if (seconds < 60) return `${seconds}s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
	return `${Math.floor(seconds / 86_400)}d`;
}
