// The folders in which Copilot looks for what a repository brings: from its top down to where it works, whatever links lead there.
import { realpath } from 'node:fs/promises';
import { findRepository, foldersBetween } from '../repository/find-repository.ts';

export type RepositoryFolders = { root: string; folders: readonly string[] };

/** Null where there is no such folder. */
export async function repositoryFolders(cwd: string): Promise<RepositoryFolders | null> {
	const real = await realpath(cwd).catch(() => null);
	if (real === null) return null;
	const { root } = await findRepository(real);
	return { root, folders: foldersBetween(root, real) };
}
