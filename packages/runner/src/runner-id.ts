// A runner's id, made once and kept, so that its events keep their origin.
import { readFileSync, writeFileSync } from 'node:fs';
import { hasCode } from '@roost/machine/error-code';
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { newShortId } from './short-id.ts';

export function keepRunnerId(path: string): Result<RunnerId> {
	try {
		writeFileSync(path, `${newShortId()}\n`, { flag: 'wx', mode: 0o600 });
	} catch (cause) {
		if (!hasCode(cause, 'EEXIST'))
			return err(new AppError('cannot_start', `${path} cannot be written: make its directory writable.`, { cause }));
	}
	const parsed = runnerId.safeParse(readFileSync(path, 'utf8').trim());
	return parsed.success ? ok(parsed.data) : err(new AppError('corrupt', `${path} is empty: remove it, and a new id is made.`));
}
