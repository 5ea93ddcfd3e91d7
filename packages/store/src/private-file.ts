// Files that only their owner can read: mode 0600, in a directory of mode 0700, never through a symbolic link.
import { chmodSync, closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '@roost/protocol/app-error';

const OWNER_ONLY = 0o600;

/** Creates the file if it is absent, and restricts its mode if it exists. */
export function makePrivateFile(path: string): void {
	makePrivateDirectory(dirname(path));
	const found = requirePlainFile(path);
	if (found === undefined) create(path);
	else if ((found.mode & 0o777) !== OWNER_ONLY) chmodSync(path, OWNER_ONLY);
}

export function makePrivateDirectory(path: string): void {
	mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** Undefined when there is no such file. */
export function requirePlainFile(path: string): Stats | undefined {
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (found?.isSymbolicLink()) {
		throw new AppError(
			'unsafe_path',
			`${path} is a symbolic link, which is not safe. Replace it with a plain file, or remove it.`,
		);
	}
	if (found !== undefined && !found.isFile()) {
		throw new AppError('store_unavailable', `${path} is not a file. Choose another path.`);
	}
	return found;
}

export function openPrivateFile(path: string, flags: number): number {
	return openSync(path, flags | constants.O_NOFOLLOW, OWNER_ONLY);
}

function create(path: string): void {
	closeSync(openPrivateFile(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR));
	syncDirectory(dirname(path));
}

/** A new file survives a power cut only if its directory was synced. */
function syncDirectory(path: string): void {
	const directory = openSync(path, constants.O_RDONLY);
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}
