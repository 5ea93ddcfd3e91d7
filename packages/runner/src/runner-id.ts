// A runner's id, made once and kept, so that its events keep their origin.
import { readFileSync } from 'node:fs';
import { newShortId } from '@roost/home/short-id';
import { createPrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';

export function keepRunnerId(path: string): Result<RunnerId> {
	const made = createPrivateFile(path, `${newShortId()}\n`);
	if (!made.ok) return made;
	const parsed = runnerId.safeParse(readFileSync(path, 'utf8').trim());
	return parsed.success ? ok(parsed.data) : err(new AppError('corrupt', `${path} is empty: remove it, and a new id is made.`));
}
