// Keeps a log file within bounds: when it is large, its content moves to `.1`, what was there to `.2`, and the oldest is removed.
import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	lstatSync,
	openSync,
	readSync,
	renameSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const MAX_BYTES = 5 * 1024 * 1024;
const KEPT_FILES = 3;
const OWNER_ONLY = 0o600;
const PIECE_BYTES = 256 * 1024;

/** Before a writer opens it. The file keeps its mode: whoever made it, made it for its owner alone. */
export function rotateLog(path: string, maxBytes = MAX_BYTES): Result<void> {
	try {
		const found = lstatSync(path);
		if (found.isFile() && found.size > maxBytes) {
			moveOlder(path);
			renameSync(path, `${path}.1`);
		}
		return ok(undefined);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return ok(undefined);
		return err(new AppError('cannot_start', `${path} cannot be moved aside: make its directory yours.`, { cause }));
	}
}

export type OpenLog = {
	/** Opened to append: the process's own output, which cannot be opened again. */
	file: number;
	path: string;
	maxBytes?: number;
};

/** Whether the name stands for the open file, and no link or other file was put in its place. */
export function isLogAt({ file, path }: OpenLog): boolean {
	const [open, named] = [fstatSync(file), lstatSync(path, { throwIfNoEntry: false })];
	return open.isFile() && named?.isFile() === true && named.ino === open.ino && named.dev === open.dev;
}

/** Writes whole lines, and rotates between two of them. What the disk does not take is counted, never thrown. */
export function createLogWriter(log: OpenLog): (text: string) => void {
	let lost = 0;
	return (text) => {
		try {
			if (lost > 0) writeAll(log.file, Buffer.from(`\n${lost} log lines could not be written\n`));
			lost = 0;
			writeAll(log.file, Buffer.from(text));
		} catch {
			// A full disk: the runner goes on without a log until there is room.
			lost += 1;
		}
		rotateOpen(log);
	};
}

/** Copied and emptied instead of renamed, so that what Node itself writes to stderr stays in the same file. */
function rotateOpen(log: OpenLog): void {
	const { file, path, maxBytes = MAX_BYTES } = log;
	try {
		const { size } = fstatSync(file);
		if (size <= maxBytes) return;
		// A file that has no name any more has no reader either.
		const isKept = !isLogAt(log) || keepCopy(path);
		if (isKept || size > 2 * maxBytes) ftruncateSync(file);
	} catch {
		// Tried again with the next line.
	}
}

function keepCopy(path: string): boolean {
	const temporary = `${path}.${randomUUID()}`;
	try {
		copy(path, temporary);
		moveOlder(path);
		renameSync(temporary, `${path}.1`);
		return true;
	} catch {
		// No room for a copy.
		rmSync(temporary, { force: true });
		return false;
	}
}

function copy(path: string, to: string): void {
	const source = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		const target = openSync(to, 'wx', OWNER_ONLY);
		try {
			const piece = Buffer.alloc(PIECE_BYTES);
			for (let read = readSync(source, piece); read > 0; read = readSync(source, piece))
				writeAll(target, piece.subarray(0, read));
		} finally {
			closeSync(target);
		}
	} finally {
		closeSync(source);
	}
}

function writeAll(file: number, bytes: Buffer): void {
	for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function moveOlder(path: string): void {
	for (let at = KEPT_FILES - 1; at > 0; at -= 1) {
		try {
			renameSync(`${path}.${at}`, `${path}.${at + 1}`);
		} catch (cause) {
			if (!hasCode(cause, 'ENOENT')) throw cause;
		}
	}
}
