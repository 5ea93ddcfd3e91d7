// Whether a path lies inside a folder, whatever links are on the way. What does not exist yet lies where its nearest parent does.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** A relative path is meant from the folder itself. The folder is inside itself. False for what cannot be told. */
export async function isInside(folder: string, path: string): Promise<boolean> {
	if (path.includes('\0') || path.startsWith('~')) return false;
	const root = await realNearest(resolve(folder));
	const target = await realNearest(resolve(folder, path));
	if (root === null || target === null) return false;
	const way = relative(root, target);
	return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}

/** Null where it cannot be told: a link that leads nowhere is written to wherever it points. */
async function realNearest(path: string): Promise<string | null> {
	const real = await realpath(path).catch(() => null);
	if (real !== null) return real;
	if (!(await isAbsent(path))) return null;
	const parent = dirname(path);
	const above = parent === path ? null : await realNearest(parent);
	return above === null ? null : join(above, basename(path));
}

async function isAbsent(path: string): Promise<boolean> {
	return await lstat(path).then(
		() => false,
		(cause: unknown) => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT',
	);
}
