// Plain text layout: tables, wrapped sentences and short paths.
import { homedir } from 'node:os';
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

export function wrap(sentence: string, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of sentence.split(' ')) {
		if (line !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === '' ? word : `${line} ${word}`;
	}
	return [...lines, line];
}

/** `~` for the home directory. */
export function toShortPath(path: string): string {
	const home = homedir();
	return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
