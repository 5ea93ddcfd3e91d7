// Replaces a file of the user's whole or not at all, and leaves no folder behind that only held it.
import { lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { replaceFile as replaceWith } from '@roost/machine/private-file';

/** Keeps its permissions; null removes it. */
export async function replaceFile(path: string, text: string | null): Promise<void> {
	if (text === null) await rm(path);
	else await writeWhole(path, text, await modeOf(path));
}

/** Installing may have made it. */
export async function removeIfEmpty(folder: string): Promise<void> {
	try {
		await rmdir(folder);
	} catch (error) {
		if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
	}
}

async function modeOf(path: string): Promise<number> {
	try {
		return (await lstat(path)).mode & 0o777;
	} catch (error) {
		if (!hasCode(error, 'ENOENT')) throw error;
		return 0o600;
	}
}

/** A reader never sees half a file; a link planted at the path is replaced, not followed. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
	await mkdir(dirname(path), { recursive: true });
	const written = replaceWith(path, text, mode);
	if (!written.ok) throw written.error;
}
