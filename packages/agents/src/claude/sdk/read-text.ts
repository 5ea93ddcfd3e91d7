// Reads a file that somebody else may have put there: a plain file only, bounded, at its real place.
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';

export type TextRead =
	| { kind: 'text'; text: string; bytes: number; cut: boolean; realPath: string }
	| { kind: 'absent' }
	/** Completes the sentence "… is left out because …". */
	| { kind: 'refused'; why: string };

export type Found = { realPath: string; uid: number };

/** `refuse` sees where the file really lies and says why it may not be read. */
export async function readText(
	path: string,
	{
		mostBytes,
		refuse = () => undefined,
	}: { mostBytes: number; refuse?: (found: Found & { links: number }) => string | undefined },
): Promise<TextRead> {
	try {
		const realPath = await realpath(path);
		// Without O_NONBLOCK a pipe would hold us for ever.
		await using file = await open(realPath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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
	// As a stream it keeps back a character that was cut in two.
	const text = new TextDecoder().decode(bytes, { stream: cut });
	return { kind: 'text', text, bytes: bytes.length, cut, realPath };
}

const MISSING = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

function toFailure(error: unknown): TextRead {
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	if (MISSING.includes(code)) return { kind: 'absent' };
	if (code === 'ELOOP') return { kind: 'refused', why: 'its links lead in a circle' };
	if (code === 'ENXIO') return { kind: 'refused', why: 'it is not a plain file' };
	return { kind: 'refused', why: code === 'EACCES' ? 'it may not be read' : `it cannot be read (${code || String(error)})` };
}
