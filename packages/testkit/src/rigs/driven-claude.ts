// A real runner in this process that drives the real `claude` against a scripted model; a test reaches it over its API.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import type { CreateSession } from '@roost/protocol/api/driving';
import { projectId } from '@roost/protocol/ids';
import { removeRunnerFile, writeRunnerFile } from '@roost/runner/life/runner-file';
import { keepToken } from '@roost/runner/life/token';
import { openRunner } from '@roost/runner/open-runner';
import { VERSION } from '@roost/runner/version';
import type { Script } from '../fakes/script.ts';
import { type ClaudeRig, createClaudeRig } from './claude-rig.ts';
import { type SessionStory, startStory } from './session-story.ts';
import { createGitRepository } from './git-repository.ts';
import { unwrap } from './unwrap.ts';

export type DrivenClaude = AsyncDisposable & {
	readonly claude: ClaudeRig;
	readonly env: Readonly<Record<string, string>>;
	readonly url: string;
	readonly token: string;
	readonly api: ApiClient;
	/** A session of Claude, in the rig's project unless told otherwise. */
	start(body?: Partial<CreateSession>): Promise<SessionStory>;
};

export type DrivenClaudeOptions = {
	script: Script;
	/** On top of what a user of the rig's Claude has. */
	env?: Readonly<Record<string, string>>;
	/** The runner's `config.yaml`. */
	config?: object;
};

export async function openDrivenClaude(options: DrivenClaudeOptions): Promise<DrivenClaude> {
	await using stack = new AsyncDisposableStack();
	const claude = stack.use(await createClaudeRig(options));
	const env = await drivenEnv(claude, options);
	const journal = { log: () => {}, hide: () => {} };
	const { home, gateway } = stack.use(unwrap(await openRunner({ env, flags: {}, journal, warn: () => {} })));
	unwrap(writeRunnerFile(home, { port: gateway.port, version: VERSION, startedAt: Date.now() }));
	stack.defer(() => void removeRunnerFile(home));
	const token = unwrap(keepToken({ home, env }));
	const { url } = gateway;
	const api = createApiClient({ baseUrl: url, token, face: 'cli', fetch: (to, init) => fetch(to, init) });
	const owned = stack.move();
	return {
		claude,
		env,
		url,
		token,
		api,
		start: async (body) => await startStory(api, await claudeSession(claude, body)),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** A home for a runner whose `claude` is the rig's. */
export async function drivenEnv(claude: ClaudeRig, options: Omit<DrivenClaudeOptions, 'script'>): Promise<Record<string, string>> {
	const roostHome = join(claude.home, 'roost');
	await mkdir(roostHome, { mode: 0o700 });
	const config = { runner: { port: 0 }, agents: { claude: { command: [claude.binary] } }, ...options.config };
	await writeFile(join(roostHome, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	return { ...claude.env, ...options.env, ROOST_HOME: roostHome };
}

export async function claudeSession(claude: ClaudeRig, body: Partial<CreateSession> = {}): Promise<CreateSession> {
	return { agent: 'claude', projectId: projectId.parse(await realpath(claude.project)), ...body };
}

/** Another repository beside the rig's own. */
export async function createSecondProject(claude: ClaudeRig): Promise<ReturnType<typeof projectId.parse>> {
	const path = join(claude.home, 'second');
	await mkdir(path);
	await createGitRepository(path, claude.env);
	return projectId.parse(await realpath(path));
}
