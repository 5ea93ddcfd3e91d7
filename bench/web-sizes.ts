// The sizes of the built page: what the first load needs, and each part that is loaded later.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PAGE_FOLDER, PROGRAM_FOLDER } from '@roost/core/process/program-files';
import type { BenchRow } from './bench-row.ts';
import { firstScripts } from './web-floor.ts';
import { toRow } from './web-row.ts';

const KB = 1_024;
const LARGE_KB = 5;

export function measureSizes(): BenchRow[] {
	const first = firstScripts().map(({ name }) => name);
	const later = globSync('assets/*.js', { cwd: folder })
		.filter((name) => !first.includes(name) && isCurrent(name))
		.filter((name) => compressed(name) > LARGE_KB)
		.toSorted((a, b) => compressed(b) - compressed(a));
	const sum = (size: (name: string) => number) => first.reduce((all, name) => all + size(name), 0);
	return [
		toRow(
			'scripts of the first load, gzip',
			{ floor: 'uncompressed', floorValue: sum(raw), value: sum(compressed), unit: 'KB' },
			{ most: 130 },
		),
		...later.map((name) =>
			toRow(`script loaded later, gzip: ${basename(name).replace(/-[\w-]{8}\.js$/, '')}`, {
				floor: 'uncompressed',
				floorValue: raw(name),
				value: compressed(name),
				unit: 'KB',
			}),
		),
	];
}

const folder = join(PROGRAM_FOLDER, PAGE_FOLDER);

function raw(name: string): number {
	return readFileSync(join(folder, name)).length / KB;
}

function compressed(name: string): number {
	const path = join(folder, `${name}.gz`);
	return existsSync(path) ? readFileSync(path).length / KB : raw(name);
}

/** The folder also has files of older builds. */
function isCurrent(name: string): boolean {
	return currentText().includes(basename(name));
}

let current: string | undefined;

/** Everything that the page can load, as one text. */
function currentText(): string {
	if (current !== undefined) return current;
	const found = new Map<string, string>();
	const visit = (name: string): void => {
		if (found.has(name) || !existsSync(join(folder, name))) return;
		const text = readFileSync(join(folder, name), 'utf8');
		found.set(name, text);
		for (const [, file] of text.matchAll(/([\w.-]+-[\w-]{8}\.js)/g)) visit(`assets/${file}`);
	};
	visit('index.html');
	current = [...found.values()].join('\n');
	return current;
}
