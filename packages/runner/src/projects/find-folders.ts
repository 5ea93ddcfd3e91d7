// Which folders may be projects: those below the user's roots, and those that sessions of the past worked in.
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IsExcluded } from '@roost/core/projects/excluded';
import { hasCode } from '@roost/machine/error-code';
import { statLink, statTarget } from '@roost/machine/stat-path';
import type { ProjectProblem } from '@roost/protocol/api/projects';

export type FoundFolders = { folders: string[]; problems: ProjectProblem[] };

/**
 * The direct children of a root; the root itself where it is a repository. A hidden child counts only as a repository:
 * below a home directory the others are no projects.
 */
export async function foldersBelow(
	root: string,
	{ isExcluded, mustBeOpen }: { isExcluded: IsExcluded; mustBeOpen: (folder: string) => Promise<void> },
): Promise<FoundFolders> {
	try {
		const top = await realpath(root);
		const names = await readdir(top);
		await mustBeOpen(top);
		const children = await Promise.all(names.map((name) => childFolder(top, name, isExcluded)));
		const itself = (await isRepository(top)) ? [top] : [];
		return { folders: [...itself, ...children.filter((child) => child !== null)], problems: [] };
	} catch (cause) {
		return { folders: [], problems: [{ path: root, message: whyUnread(cause) }] };
	}
}

async function childFolder(root: string, name: string, isExcluded: IsExcluded): Promise<string | null> {
	const path = join(root, name);
	if (isExcluded({ name, path })) return null;
	// A link that leads nowhere, or a child that went away just now, is no folder.
	const found = await statTarget(path);
	if (!found?.isDirectory()) return null;
	return !name.startsWith('.') || (await isRepository(path)) ? path : null;
}

/** The folder itself, not one above it. */
async function isRepository(path: string): Promise<boolean> {
	return (await statLink(join(path, '.git'))) !== null;
}

/** A folder that a transcript names. */
export async function visitedFolder(path: string, isExcluded: IsExcluded): Promise<FoundFolders> {
	if (isExcluded({ name: basename(path), path })) return { folders: [], problems: [] };
	try {
		if ((await stat(path)).isDirectory()) return { folders: [path], problems: [] };
		return { folders: [], problems: [{ path, message: 'This is a file now, where a session worked in a folder.' }] };
	} catch (cause) {
		return { folders: [], problems: [{ path, message: whyUnread(cause) }] };
	}
}

export function whyUnread(cause: unknown): string {
	if (hasCode(cause, 'ENOENT')) return 'This folder is gone.';
	if (hasCode(cause, 'ENOTDIR')) return 'This is not a folder.';
	if (hasCode(cause, 'EACCES', 'EPERM')) return 'This folder is not yours to read.';
	return `This folder cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
}
