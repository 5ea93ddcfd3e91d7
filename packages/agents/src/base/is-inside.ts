// Whether a path lies inside a folder, whatever links are on the way. What does not exist yet lies where its nearest parent does.
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { hasCode } from '@roost/machine/error-code';

/** A relative path is meant from the folder itself. The folder is inside itself. False for what cannot be told. */
export async function isInside(folder: string, path: string): Promise<boolean> {
	return (await wayInside(folder, path)) !== null;
}

/** The way from the folder to the path, links resolved, empty for the folder itself; null where it leads out or cannot be told. */
export async function wayInside(folder: string, path: string): Promise<string | null> {
	if (path.includes('\0') || path.startsWith('~')) return null;
	const absolute = isAbsolute(path) ? path : `${resolve(folder)}${sep}${path}`;
	const root = await realNearest(resolve(folder));
	// The system follows a link before it goes up from it; many programs take the names alone. Both must stay inside.
	const followed = await realNearest(absolute);
	const named = await realNearest(resolve(absolute));
	if (root === null || followed === null || named === null) return null;
	return leadsOut(root, named) || leadsOut(root, followed) ? null : relative(root, followed);
}

function leadsOut(root: string, target: string): boolean {
	const way = relative(root, target);
	return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

/** Step by step, as the system does it. Null where it cannot be told: a link that leads nowhere is written to wherever it points. */
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
