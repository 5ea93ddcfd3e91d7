// A session's transcripts as files: its own and those of its subagents. The path comes from the agent: trust nothing about it.
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Line, splitLines } from './lines.ts';

const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** How far a file was read. */
export type Place = { readonly inode: number; readonly offset: number };

export const START: Place = { inode: 0, offset: 0 };

/** Reads on from a place and gives the new one. A file that is another one than before, or shorter, is read from its start. */
export async function readLines(path: string, from: Place, take: (line: Line) => void): Promise<Result<Place>> {
	try {
		// Without waiting: a pipe in the file's place would never open.
		await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = await file.stat();
		if (!stat.isFile()) return err(new AppError('unsafe_path', `The transcript ${path} is not a regular file.`));
		const { ino: inode, size } = stat;
		let offset = inode === from.inode && size >= from.offset ? from.offset : 0;
		if (size === offset) return ok({ inode, offset });
		// Up to the size it had when opened: a file that grows while it is read still ends.
		const bytes = file.createReadStream({ start: offset, end: size - 1, autoClose: false });
		for await (const line of splitLines(bytes, MAX_LINE_BYTES)) {
			take(line);
			if (line.ended) offset += line.bytes;
		}
		return ok({ inode, offset });
	} catch (cause) {
		return err(toReadError(path, cause));
	}
}

/** `<session>.jsonl` keeps its subagents in `<session>/subagents/agent-<id>.jsonl`. */
export async function subagentTranscripts(path: string): Promise<Result<string[]>> {
	if (!path.endsWith('.jsonl')) return ok([]);
	const folder = join(path.slice(0, -'.jsonl'.length), 'subagents');
	try {
		const names = await readdir(folder);
		return ok(names.filter((name) => /^agent-.*\.jsonl$/.test(name)).map((name) => join(folder, name)));
	} catch (cause) {
		return isMissing(cause) ? ok([]) : err(toReadError(folder, cause));
	}
}

function toReadError(path: string, cause: unknown): AppError {
	if (isMissing(cause)) return new AppError('not_found', `There is no transcript at ${path}.`, { cause });
	return new AppError('internal', `The transcript ${path} cannot be read: check that it is a file you may read.`, { cause });
}

function isMissing(cause: unknown): boolean {
	return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}
