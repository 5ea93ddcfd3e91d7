// What a runner opens first: configuration, home, token, runner ID, and the record, of which it is the only writer.
import { readFileSync } from 'node:fs';
import { type ConfigFlags, loadConfig } from '@roost/home/config/load-config';
import type { RunnerConfig } from '@roost/home/config/schema';
import { ensureHome, type Home, resolveHome } from '@roost/home/home';
import { newShortId } from '@roost/home/short-id';
import { keepToken } from '@roost/home/token';
import { createPrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, runnerId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';

export type Foundations = { config: RunnerConfig; home: Home; token: string; runnerId: RunnerId; store: Store };

export function openFoundations({ env, flags }: { env: NodeJS.ProcessEnv; flags: ConfigFlags }): Result<Foundations> {
	const config = loadConfig({ env, flags });
	if (!config.ok) return config;
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const token = keepToken({ home: home.value, env, auth: config.value.auth });
	if (!token.ok) return token;
	const runnerId = keepRunnerId(home.value.runnerId);
	if (!runnerId.ok) return runnerId;
	const store = openSqliteStore({ path: home.value.database, access: 'write' });
	if (!store.ok) return store;
	return ok({ config: config.value, home: home.value, token: token.value, runnerId: runnerId.value, store: store.value });
}

/** Created once, so that events keep their origin. */
export function keepRunnerId(path: string): Result<RunnerId> {
	const made = createPrivateFile(path, `${newShortId()}\n`);
	if (!made.ok) return made;
	const parsed = runnerId.safeParse(readFileSync(path, 'utf8').trim());
	return parsed.success ? ok(parsed.data) : err(new AppError('corrupt', `${path} is empty. Remove it to create a new ID.`));
}
