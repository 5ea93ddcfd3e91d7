// The directories of Roost's state, mode 0700: below ROOST_HOME, otherwise in the XDG directories.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type Home = {
	data: string;
	run: string;
	database: string;
	runnerId: string;
	/** Created with the first recording. */
	recordings: string;
	/** The result of the last project scan. */
	projects: string;
};

export function resolveHome(env: NodeJS.ProcessEnv): Result<Home> {
	const chosen = env.ROOST_HOME;
	if (chosen && !isAbsolute(chosen)) return err(new AppError('usage', `ROOST_HOME must be an absolute path; it is "${chosen}".`));
	const data = chosen || join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'roost');
	const run = chosen || !env.XDG_RUNTIME_DIR ? join(data, 'run') : join(env.XDG_RUNTIME_DIR, 'roost');
	return ok({
		data,
		run,
		database: join(data, 'roost.db'),
		runnerId: join(data, 'runner-id'),
		recordings: join(data, 'recordings'),
		projects: join(data, 'projects.json'),
	});
}

/** The log of a runner in the background. */
export function logPath({ data }: Pick<Home, 'data'>): string {
	return join(data, 'runner.log');
}

/** Creates missing directories. Existing ones must belong to this user; access for others is removed. */
export function ensureHome(home: Home): Result<void> {
	for (const directory of [home.data, home.run]) {
		const safe = ensurePrivateDirectory(directory, 'close');
		if (!safe.ok) return err(new AppError(safe.error.code, `${safe.error.message} ${ELSEWHERE}`, { cause: safe.error.cause }));
	}
	return ok(undefined);
}

const ELSEWHERE = 'Set ROOST_HOME to a folder that you can write to.';
