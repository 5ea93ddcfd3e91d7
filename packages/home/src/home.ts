// Where Roost keeps its state: all of it under ROOST_HOME, else in the XDG directories. Directories 0700.
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
	/** Made when something is recorded. */
	recordings: string;
	/** The projects that were found last. */
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

/** What a runner in the background writes. */
export function logPath({ data }: Pick<Home, 'data'>): string {
	return join(data, 'runner.log');
}

/** Makes the directories where they are missing; what is there must be ours, and is closed to others. */
export function ensureHome(home: Home): Result<void> {
	for (const directory of [home.data, home.run]) {
		const safe = ensurePrivateDirectory(directory, 'close');
		if (!safe.ok) return err(new AppError(safe.error.code, `${safe.error.message} ${ELSEWHERE}`, { cause: safe.error.cause }));
	}
	return ok(undefined);
}

const ELSEWHERE = 'Set ROOST_HOME to a folder that you can write to.';
