// Rotates a log file: a large one moves to `.1`, the one before to `.2`, and the oldest is removed.
import { randomUUID } from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	ftruncateSync,
	lstatSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

const MAX_BYTES = 5 * 1024 * 1024;
const KEPT_FILES = 3;
const OWNER_ONLY = 0o600;

/** To be called before the file is opened for writing. */
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
		return err(new AppError('cannot_start', `${path} cannot be rotated: make its directory yours.`, { cause }));
	}
}

export type OpenLog = {
	/** Opened for appending: the process's own stdout, which cannot be reopened. */
	file: number;
	path: string;
	maxBytes?: number;
};

/** Whether the path still names the open file, and not a link or another file. */
export function isLogAt({ file, path }: OpenLog): boolean {
	const [open, named] = [fstatSync(file), lstatSync(path, { throwIfNoEntry: false })];
	return open.isFile() && named?.isFile() === true && named.ino === open.ino && named.dev === open.dev;
}

/** Writes whole lines and rotates between them. Counts lines that cannot be written, and never throws. */
export function createLogWriter(log: OpenLog): (text: string) => void {
	let lost = 0;
	return (text) => {
		try {
			if (lost > 0) writeFileSync(log.file, `\n${lost} log lines could not be written\n`);
			lost = 0;
			writeFileSync(log.file, text);
		} catch {
			// The disk is full: the runner continues without a log until there is space.
			lost += 1;
		}
		rotateOpen(log);
	};
}

/** Copies and truncates instead of renaming, because Node itself writes to the same descriptor. */
function rotateOpen(log: OpenLog): void {
	const { file, path, maxBytes = MAX_BYTES } = log;
	try {
		const { size } = fstatSync(file);
		if (size <= maxBytes) return;
		// A deleted file needs no copy.
		const isKept = !isLogAt(log) || keepCopy(path);
		if (isKept || size > 2 * maxBytes) ftruncateSync(file);
	} catch {
		// Retried with the next line.
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
		// No space for a copy.
		rmSync(temporary, { force: true });
		return false;
	}
}

function copy(path: string, to: string): void {
	const source = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
	try {
		writeFileSync(to, readFileSync(source), { flag: 'wx', mode: OWNER_ONLY });
	} finally {
		closeSync(source);
	}
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
