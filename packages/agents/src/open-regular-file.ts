// Opens a file whose path an agent or a repository named: a regular file of bounded size, and nothing that could block or never end.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';

/** More than any conversation needs; what is larger is not read at all. */
export const MOST_RECORD_BYTES = 2 * 1024 ** 3;

export type OpenedFile = { file: FileHandle; size: number; inode: number };

/** A link that takes the place of the file is refused. Without waiting, because a pipe would never open. Throws what hinders it. */
export async function openRegularFile(path: string, mostBytes = MOST_RECORD_BYTES): Promise<OpenedFile> {
	const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY).catch(
		(cause: unknown) => {
			throw hasCode(cause, 'ELOOP', 'EMLINK') ? new AppError('unsafe_path', `${path} is a link.`, { cause }) : cause;
		},
	);
	const found = await file.stat();
	const problem = found.isFile() ? (found.size > mostBytes ? 'is too large to be read' : null) : 'is not a regular file';
	if (problem === null) return { file, size: found.size, inode: found.ino };
	await file.close();
	throw new AppError('unsafe_path', `${path} ${problem}.`);
}
