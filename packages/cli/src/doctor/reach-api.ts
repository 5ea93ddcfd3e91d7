// The runner's API for checks: every call has an end, because what is checked may hang.
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { ok, type Result } from '@roost/protocol/result';
import type { RunnerArgv } from '../hooks/installed-start.ts';
import { reachRunner } from '../runner/reach.ts';

/** Null where none is up and none was to be started. */
export type ReachRunner = (options: { start: boolean }) => Promise<Result<ApiClient | null>>;

const TIMEOUT_MS = 5_000;

export function createReachRunner(env: NodeJS.ProcessEnv, runner: RunnerArgv): ReachRunner {
	return async ({ start }) => {
		const reached = await reachRunner({ env, start: start ? runner : undefined });
		if (!reached.ok) return reached;
		if (!reached.value) return ok(null);
		const { baseUrl, token } = reached.value;
		const within = (url: string, init: RequestInit) => fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
		return ok(createApiClient({ baseUrl, token, face: 'cli', fetch: within }));
	};
}
