// Reads untrusted files: regular files of bounded size only, nothing that could block.
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { AppError } from '@roost/protocol/app-error';
import { hasCode } from './error-code.ts';

/** O_NONBLOCK: a pipe would block forever. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

type TextRead =
	| { kind: 'text'; text: string; bytes: number; cut: boolean; realPath: string }
	| { kind: 'absent' }
	/** Completes "… is left out because …". */
	| { kind: 'refused'; why: string };

export type Found = { realPath: string; uid: number };

/** `refuse` gets the real path and returns why the file must not be read. */
export async function readText(
	path: string,
	{
		mostBytes,
		refuse = () => undefined,
	}: { mostBytes: number; refuse?: (found: Found & { links: number }) => string | undefined },
): Promise<TextRead> {
	try {
		const realPath = await realpath(path);
		await using file = await open(realPath, READING);
		const found = await file.stat();
		if (!found.isFile()) return found.isDirectory() ? { kind: 'absent' } : { kind: 'refused', why: 'it is not a plain file' };
		const why = refuse({ realPath, uid: found.uid, links: found.nlink });
		if (why !== undefined) return { kind: 'refused', why };
		const buffer = Buffer.alloc(Math.min(found.size, mostBytes));
		const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
		return toRead(buffer.subarray(0, bytesRead), found.size > mostBytes, realPath);
	} catch (error) {
		return toFailure(error);
	}
}

function toRead(bytes: Buffer, cut: boolean, realPath: string): TextRead {
	if (bytes.includes(0)) return { kind: 'refused', why: 'it is not text' };
	// In stream mode a truncated last character is dropped.
	const text = new TextDecoder().decode(bytes, { stream: cut });
	return { kind: 'text', text, bytes: bytes.length, cut, realPath };
}

function toFailure(error: unknown): TextRead {
	if (hasCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE')) return { kind: 'absent' };
	if (hasCode(error, 'ELOOP')) return { kind: 'refused', why: 'its links form a loop' };
	if (hasCode(error, 'ENXIO')) return { kind: 'refused', why: 'it is not a plain file' };
	if (hasCode(error, 'EACCES')) return { kind: 'refused', why: 'it may not be read' };
	const code = error instanceof Error && 'code' in error ? error.code : error;
	return { kind: 'refused', why: `it cannot be read (${String(code)})` };
}

/** Larger transcripts are not read at all. */
const MOST_RECORD_BYTES = 2 * 1024 ** 3;

type OpenedFile = { file: FileHandle; size: number; inode: number };

/** Refuses links. Throws on failure. */
export async function openRegularFile(path: string, mostBytes = MOST_RECORD_BYTES): Promise<OpenedFile> {
	const file = await open(path, READING).catch((cause: unknown) => {
		throw hasCode(cause, 'ELOOP', 'EMLINK') ? new AppError('unsafe_path', `${path} is a link.`, { cause }) : cause;
	});
	const found = await file.stat().catch(async (cause: unknown) => {
		await file.close();
		throw cause;
	});
	const problem = found.isFile() ? (found.size > mostBytes ? 'is too large to be read' : null) : 'is not a regular file';
	if (problem === null) return { file, size: found.size, inode: found.ino };
	await file.close();
	throw new AppError('unsafe_path', `${path} ${problem}.`);
}

/** Does not follow links. */
export function statLink(path: string): Promise<Stats | null> {
	return unlessHidden(lstat(path));
}

/** Follows links. */
export function statTarget(path: string): Promise<Stats | null> {
	return unlessHidden(stat(path));
}

/** Throws if a folder is missing or not accessible. */
export function mustBeOpen(folder: string): Promise<void> {
	return access(folder, constants.R_OK | constants.X_OK);
}

/** Null on a system error: missing, no permission, or a dangling link. */
export async function unlessHidden<T>(result: Promise<T>): Promise<T | null> {
	try {
		return await result;
	} catch (cause) {
		if (cause instanceof Error && 'syscall' in cause) return null;
		throw cause;
	}
}
