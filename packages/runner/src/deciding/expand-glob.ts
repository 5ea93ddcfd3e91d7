// What globs stand for on this disk, at most so many paths for a call: one of them may be a link into a protected folder.
import { isGlob, matchesGlob } from '@roost/core/paths/glob-path';
import { entriesOf } from './real-path.ts';

export type GlobExpander = {
	expand(pattern: string): string[];
	/** More was wanted than is looked at. */
	readonly isSpent: boolean;
};

const MAX_ENTRIES = 5_000;
const MAX_FOLDERS = 100;

export function createGlobExpander(): GlobExpander {
	let entries = MAX_ENTRIES;
	let folders = MAX_FOLDERS;

	function matchesIn(folder: string, name: string): string[] {
		if (entries <= 0 || folders-- <= 0) return [];
		const found = entriesOf(folder || '/').slice(0, entries);
		entries -= found.length;
		return found.filter((entry) => matchesGlob(name, entry.name)).map((entry) => `${folder}/${entry.name}`);
	}

	return {
		expand(pattern) {
			const names = pattern.split('/');
			const first = names.findIndex(isGlob);
			let found = [names.slice(0, first).join('/')];
			for (const name of names.slice(first)) {
				found = found.flatMap((folder) => (isGlob(name) ? matchesIn(folder, name) : [`${folder}/${name}`]));
				if (found.length === 0) break;
			}
			return found;
		},
		get isSpent() {
			return entries <= 0 || folders <= 0;
		},
	};
}
