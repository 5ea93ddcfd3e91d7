// Connects to the runner that is up, or starts one.

import { hashConfig } from '@roost/home/config/config-file';
import { loadAuth } from '@roost/home/config/load-config';
import { ensureHome, resolveHome } from '@roost/home/home';
import { type RunningRunner, readRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { ok, type Result } from '@roost/protocol/result';
import type { DetachedOptions } from './start-detached.ts';

export type Reached = {
	baseUrl: string;
	token: string;
	running: RunningRunner;
	hasOldConfig: boolean;
	/** A restarted runner may have another port. */
	findUrl: () => string;
};

/** Null if no runner is up and none may be started. */
export async function reachRunner(options: {
	env: NodeJS.ProcessEnv;
	/** Starts this program if no runner is up. */
	start?: readonly [string, ...string[]] | undefined;
}): Promise<Result<Reached | null>> {
	const { env, start } = options;
	const home = resolveHome(env);
	if (!home.ok) return home;
	const ready = ensureHome(home.value);
	if (!ready.ok) return ready;
	const auth = loadAuth(env);
	if (!auth.ok) return auth;
	const token = keepToken({ home: home.value, env, auth: auth.value });
	if (!token.ok) return token;
	const running = start ? await startOne({ home: home.value, argv: start, env }) : readRunnerFile(home.value);
	if (!running.ok) return running;
	if (!running.value) return ok(null);
	const baseUrl = urlOf(running.value);
	const findUrl = () => {
		const now = readRunnerFile(home.value);
		return now.ok && now.value ? urlOf(now.value) : baseUrl;
	};
	const { configHash } = running.value;
	const hasOldConfig = configHash !== undefined && configHash !== hashConfig(env);
	return ok({ baseUrl, token: token.value, running: running.value, hasOldConfig, findUrl });
}

/** Loaded only when a runner has to be started. */
async function startOne(options: DetachedOptions): Promise<Result<RunningRunner>> {
	const { startDetached } = await import('./start-detached.ts');
	return await startDetached(options);
}

function urlOf({ port }: RunningRunner): string {
	return `http://127.0.0.1:${port}`;
}
