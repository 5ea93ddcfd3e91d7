// A real runner in this process that can drive the scripted agent, found by programs as the one of a home.
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { mockAgent } from '@roost/agents/mock/driven/open-mock-agent';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { VERSION } from '@roost/home/version';
import { projectId, type SessionId } from '@roost/protocol/ids';
import { openRunner } from '@roost/runner/open-runner';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export type DrivenRoost = AsyncDisposable & {
	/** The project its sessions belong to. */
	readonly folder: string;
	readonly env: Readonly<Record<string, string>>;
	readonly api: ApiClient;
	/** A session of the scripted agent there. */
	startSession(prompt?: string): Promise<SessionId>;
	/** The runner ends in order, as it does with its process. */
	end(): Promise<void>;
};

/** `as` is a name that it drives the agent by too. */
export async function startDrivenRoost(agent: DrivableAgent = mockAgent(), { as = 'mock' } = {}): Promise<DrivenRoost> {
	await using stack = new AsyncDisposableStack();
	const temp = await realpath(stack.use(await createTempDir()).path);
	const folder = join(temp, 'project');
	await mkdir(folder);
	const env = { PATH: process.env.PATH ?? '', HOME: temp, ROOST_HOME: join(temp, 'roost'), ROOST_PORT: '0' };
	const journal = { log: () => {}, hide: () => {} };
	const drivable = new Map([
		['mock', agent],
		[as, agent],
	]);
	const runner = stack.use(unwrap(await openRunner({ env, flags: {}, journal, warn: () => {}, drivable })));
	const { home, gateway } = runner;
	unwrap(writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() }));
	const token = unwrap(keepToken({ home, env }));
	const api = createApiClient({ baseUrl: gateway.url, token, face: 'cli', fetch: (url, init) => fetch(url, init) });
	const owned = stack.move();
	return {
		folder,
		env,
		api,
		async startSession(prompt) {
			const body = { projectId: projectId.parse(folder), agent: 'mock', prompt };
			return unwrap(await api.sessions.create({ commandId: crypto.randomUUID(), ...body })).sessionId;
		},
		async end() {
			removeRunnerFile(home);
			await runner[Symbol.asyncDispose]();
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
