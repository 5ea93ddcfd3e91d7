// Transcript files of a session and its subagents. The path comes from the agent and is not trusted.
import { type FileHandle, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { openRegularFile } from '@roost/machine/foreign-file';
import { createLineFramer, type Frame, splitLines } from '@roost/machine/lines';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export const MAX_LINE_BYTES = 8 * 1024 * 1024;

export type Place = { readonly inode: number; readonly offset: number };

export const START: Place = { inode: 0, offset: 0 };

/** Continues at a place and returns the next one; an unfinished line may still grow. A replaced or truncated file is read from its start. */
export async function readLines(
	path: string,
	from: Place,
	take: (line: Frame, isEnded: boolean) => void,
): Promise<Result<Place>> {
	try {
		const { file, size, inode } = await openRegularFile(path);
		await using _file = file;
		let offset = inode === from.inode && size >= from.offset ? from.offset : 0;
		const framer = createLineFramer(MAX_LINE_BYTES, { keepsEmpty: true });
		for await (const chunk of bytesOf(file, offset, size)) {
			offset += chunk.length;
			for (const line of framer.push(chunk)) take(line, true);
		}
		offset -= framer.pending();
		for (const line of framer.end()) take(line, false);
		return ok({ inode, offset });
	} catch (cause) {
		return err(toReadError(path, cause));
	}
}

/** From the start. Throws an `AppError` where there is no such file; ends after `mostBytes`. */
export async function* transcriptLines(path: string, mostBytes = Number.POSITIVE_INFINITY): AsyncGenerator<Frame> {
	try {
		const { file, size } = await openRegularFile(path);
		await using _file = file;
		yield* splitLines(bytesOf(file, 0, Math.min(size, mostBytes)), MAX_LINE_BYTES);
	} catch (cause) {
		throw toReadError(path, cause);
	}
}

/** Up to the size at opening, so that reading a growing file ends. */
async function* bytesOf(file: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
	if (start < size) yield* file.createReadStream({ start, end: size - 1, autoClose: false });
}

/** The session's other conversations: after a clear Claude continues in a new file beside the old one. */
export function siblingTranscripts(path: string, nativeIds: readonly string[]): string[] {
	const names = new Set(nativeIds.filter((id) => NATIVE_ID.test(id)).map((id) => `${id}.jsonl`));
	names.delete(basename(path));
	return [...names].map((name) => join(dirname(path), name));
}

/** Ids of Claude conversations; nothing else may become part of a path. */
const NATIVE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `<session>.jsonl` keeps its subagents in `<session>/subagents/agent-<id>.jsonl`. */
export function subagentFolder(path: string): string | null {
	return path.endsWith('.jsonl') ? join(path.slice(0, -'.jsonl'.length), 'subagents') : null;
}

export async function subagentTranscripts(path: string): Promise<Result<string[]>> {
	const folder = subagentFolder(path);
	if (folder === null) return ok([]);
	try {
		const names = await readdir(folder);
		return ok(names.filter((name) => /^agent-.*\.jsonl$/.test(name)).map((name) => join(folder, name)));
	} catch (cause) {
		return hasCode(cause, 'ENOENT', 'ENOTDIR') ? ok([]) : err(toReadError(folder, cause));
	}
}

function toReadError(path: string, cause: unknown): AppError {
	if (cause instanceof AppError) return cause;
	if (hasCode(cause, 'ENOENT', 'ENOTDIR')) return new AppError('not_found', `There is no transcript at ${path}.`, { cause });
	return new AppError('internal', `The transcript ${path} cannot be read: check that it is a file you may read.`, { cause });
}
