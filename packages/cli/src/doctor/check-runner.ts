// Checks that the runner answers, accepts the token and has this version.
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { Home } from '@roost/home/home';
import { readRunnerFile } from '@roost/home/runner-file';
import { VERSION } from '@roost/home/version';
import { ok, type Result } from '@roost/protocol/result';
import type { RunnerArgv } from '../hooks/installed-setup.ts';
import { reachRunner } from '../runner/reach.ts';
import { fail, fine, type Outcome } from './finding.ts';

export type AskedApi = { server: Pick<ApiClient['server'], 'health'>; rules: Pick<ApiClient['rules'], 'list'> };

const RESTART = 'Run "roost down" and then "roost up --detach".';

export async function checkRunner(home: Pick<Home, 'run'>, reach: () => Promise<Result<AskedApi | null>>): Promise<Outcome[]> {
	const running = readRunnerFile(home);
	if (!running.ok) return [fail(running.error.message, 'Remove that file.')];
	if (!running.value) return [fine('none is up; commands that need one start it')];
	const { pid, version, port } = running.value;
	const reached = await reach();
	const health = reached.ok ? ((await reached.value?.server.health()) ?? ok(undefined)) : reached;
	if (!health.ok)
		return [
			fail(`process ${pid} does not answer: ${health.error.message}`, `${RESTART} If it does not end, run "kill -9 ${pid}".`),
		];
	const known = reached.ok && reached.value ? await reached.value.rules.list() : ok([]);
	if (!known.ok) return [fail(`process ${pid} rejects our token: ${known.error.message}`, RESTART)];
	if (version !== VERSION) return [fail(`process ${pid} has version ${version}, this command has ${VERSION}`, RESTART)];
	return [fine(`version ${version} answers on port ${port} (process ${pid})`)];
}

/** Null if no runner is up and none was to be started. */
type ReachRunner = (options: { start: boolean }) => Promise<Result<ApiClient | null>>;

const TIMEOUT_MS = 5_000;

/** API client for checks; every call times out, because the runner may hang. */
export function createReachRunner(env: NodeJS.ProcessEnv, runner: RunnerArgv): ReachRunner {
	const fetch = createImpatientFetch(TIMEOUT_MS);
	return async ({ start }) => {
		const reached = await reachRunner({ env, start: start ? runner : undefined });
		if (!reached.ok) return reached;
		if (!reached.value) return ok(null);
		const { baseUrl, token } = reached.value;
		return ok(createApiClient({ baseUrl, token, face: 'cli', fetch }));
	};
}

/** After the first timeout all calls fail at once, so that the user waits for a runner that hangs only once. */
export function createImpatientFetch(timeoutMs: number): (url: string, init: RequestInit) => Promise<Response> {
	let timedOut: DOMException | undefined;
	return async (url, init) => {
		if (timedOut) throw timedOut;
		try {
			return await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
		} catch (cause) {
			if (cause instanceof DOMException && cause.name === 'TimeoutError') timedOut = cause;
			throw cause;
		}
	};
}
