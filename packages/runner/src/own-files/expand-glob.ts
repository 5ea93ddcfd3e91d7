// What a glob stands for on this disk, at most so many paths: one of them may be a link into a protected folder.
import { isGlob, matchesGlob } from '@roost/core/paths/glob-path';
import { entriesOf } from './real-path.ts';

const MAX_MATCHES = 1_000;

export function expandGlob(pattern: string): string[] {
	const names = pattern.split('/');
	const first = names.findIndex(isGlob);
	let found = [names.slice(0, first).join('/')];
	for (const name of names.slice(first)) {
		found = found
			.flatMap((folder) => (isGlob(name) ? matchesIn(folder || '/', name) : [`${folder}/${name}`]))
			.slice(0, MAX_MATCHES);
	}
	return found;
}

function matchesIn(folder: string, name: string): string[] {
	const entries = entriesOf(folder).slice(0, MAX_MATCHES);
	return entries.filter((entry) => matchesGlob(name, entry.name)).map((entry) => `${folder}/${entry.name}`);
}
