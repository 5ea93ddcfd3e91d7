// Whether Roost can write into its home, or make it where it is missing.
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from '@roost/home/home';
import { whyNotMade } from '@roost/machine/private-directory';
import { fail, type Said } from './finding.ts';

/** Nothing where all is well: what there is to say of a home that can be used, other checks say. */
export function checkHome(home: Pick<Home, 'data' | 'run'>): Said[] {
	for (const directory of new Set([home.data, home.run])) {
		const why = tryToMake(nearest(directory));
		const what = existsSync(directory) ? 'written' : 'created';
		if (why !== null)
			return [fail(`${directory} cannot be ${what}: ${why}`, 'Set ROOST_HOME to a folder that you can write to.')];
	}
	return [];
}

function nearest(directory: string): string {
	return existsSync(directory) ? directory : nearest(dirname(directory));
}

/** Permissions alone do not tell: some file systems take nothing from anybody. */
function tryToMake(parent: string): string | null {
	try {
		rmdirSync(mkdtempSync(join(parent, '.roost-')));
		return null;
	} catch (cause) {
		return whyNotMade(cause);
	}
}
