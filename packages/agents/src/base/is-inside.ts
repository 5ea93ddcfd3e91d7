// Whether a path lies inside a folder after resolving links. A missing path is resolved from its nearest parent.
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { hasCode } from '@roost/machine/error-code';

/** Relative paths start at the folder. False where it cannot be determined. */
export async function isInside(folder: string, path: string): Promise<boolean> {
	return (await wayInside(folder, path)) !== null;
}

/** The relative path with links resolved, empty for the folder itself; null where it leads out or cannot be determined. */
export async function wayInside(folder: string, path: string): Promise<string | null> {
	if (path.includes('\0') || path.startsWith('~')) return null;
	const absolute = isAbsolute(path) ? path : `${resolve(folder)}${sep}${path}`;
	const root = await realNearest(resolve(folder));
	// The system resolves a link before `..`; many programs resolve `..` by name. Both results must stay inside.
	const followed = await realNearest(absolute);
	const named = await realNearest(resolve(absolute));
	if (root === null || followed === null || named === null) return null;
	return leadsOut(root, named) || leadsOut(root, followed) ? null : relative(root, followed);
}

function leadsOut(root: string, target: string): boolean {
	const way = relative(root, target);
	return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** Null where it cannot be determined: writing to a dangling link creates its target. */
async function realNearest(path: string): Promise<string | null> {
	let at: string = sep;
	for (const name of path.split(sep)) {
		const next = name === '..' ? dirname(at) : join(at, name);
		const real = await realpath(next).catch(() => null);
		if (real === null && !(await isAbsent(next))) return null;
		at = real ?? next;
	}
	return at;
}

async function isAbsent(path: string): Promise<boolean> {
	return await lstat(path).then(
		() => false,
		(cause: unknown) => hasCode(cause, 'ENOENT'),
	);
}
