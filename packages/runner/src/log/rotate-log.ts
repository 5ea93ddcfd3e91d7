// Keeps a log file from growing for ever: a large one steps aside before the next writer opens it, and the one before it goes.
import { lstatSync, renameSync } from 'node:fs';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { hasCode } from '../life/private-file.ts';

const MAX_BYTES = 5 * 1024 * 1024;

/** The file keeps its mode: whoever made it, made it for its owner alone. */
export function rotateLog(path: string, maxBytes = MAX_BYTES): Result<void> {
	try {
		const found = lstatSync(path);
		if (found.isFile() && found.size > maxBytes) renameSync(path, `${path}.1`);
		return ok(undefined);
	} catch (cause) {
		if (hasCode(cause, 'ENOENT')) return ok(undefined);
		return err(new AppError('cannot_start', `${path} cannot be moved aside: make its directory yours.`, { cause }));
	}
}
