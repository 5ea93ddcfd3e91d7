// The lines of a transcript on disk, one at a time. The path comes from an agent or a folder of its: trust nothing about it.
import { constants } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { type Line, splitLines } from './lines.ts';

export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Throws an `AppError` where there is no such file, or something else in its place; ends after `mostBytes`. */
export async function* transcriptLines(path: string, mostBytes = Number.POSITIVE_INFINITY): AsyncGenerator<Line> {
	try {
		// Without waiting: a pipe in the file's place would never open.
		await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = await file.stat();
		if (!stat.isFile()) throw new AppError('unsafe_path', `The transcript ${path} is not a regular file.`);
		yield* splitLines(bytesOf(file, Math.min(stat.size, mostBytes)), MAX_LINE_BYTES);
	} catch (cause) {
		throw toReadError(path, cause);
	}
}

/** Up to the size it had when opened: a file that grows while it is read still ends. */
async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
	if (size === 0) return;
	yield* file.createReadStream({ start: 0, end: size - 1, autoClose: false });
}

/** `<session>.jsonl` keeps its subagents in `<session>/subagents/agent-<id>.jsonl`. */
export function subagentFolder(path: string): string | null {
	return path.endsWith('.jsonl') ? join(path.slice(0, -'.jsonl'.length), 'subagents') : null;
}

/** None where the session had none. Throws where the folder cannot be read. */
export async function subagentTranscripts(path: string): Promise<string[]> {
	const folder = subagentFolder(path);
	if (folder === null) return [];
	try {
		const names = await readdir(folder);
		return names.filter((name) => /^agent-.*\.jsonl$/.test(name)).map((name) => join(folder, name));
	} catch (cause) {
		if (isMissing(cause)) return [];
		throw cause;
	}
}

export function isMissing(cause: unknown): boolean {
	return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

function toReadError(path: string, cause: unknown): AppError {
	if (cause instanceof AppError) return cause;
	if (isMissing(cause)) return new AppError('not_found', `There is no transcript at ${path}.`, { cause });
	return new AppError('internal', `The transcript ${path} cannot be read: check that it is a file you may read.`, { cause });
}
