// Carries out planned edits of an agent's settings: all of them, or none.
import { dirname } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { readPlain } from './read-settings.ts';
import { removeIfEmpty, replaceFile } from './replace-file.ts';
import type { FileEdit } from './user-hooks.ts';

/** `folder` is the agent's own and stays; one below it that is empty afterwards goes. */
export async function applyFileEdits(folder: string, edits: readonly FileEdit[]): Promise<Result<void>> {
	for (const { path, before } of edits) {
		const current = await readPlain(path);
		if (!current.ok) return current;
		if (current.value !== before) return err(new AppError('conflict', `${path} changed in the meantime; retry`));
	}
	const done: FileEdit[] = [];
	for (const edit of edits) {
		const written = await write(folder, edit.path, edit.after);
		if (!written.ok) {
			for (const { path, before } of done) await write(folder, path, before);
			return written;
		}
		done.push(edit);
	}
	return ok(undefined);
}

async function write(folder: string, path: string, text: string | null): Promise<Result<void>> {
	try {
		await replaceFile(path, text);
		if (text === null && dirname(path) !== folder) await removeIfEmpty(dirname(path));
		return ok(undefined);
	} catch (cause) {
		return err(new AppError('cannot_start', `cannot write ${path}`, { cause }));
	}
}
