// A real runner in this process that drives one real agent against a scripted model; a test reaches it over its API.
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@roost/client/api-client';
import { removeRunnerFile, writeRunnerFile } from '@roost/home/runner-file';
import { keepToken } from '@roost/home/token';
import { VERSION } from '@roost/home/version';
import type { CreateSession } from '@roost/protocol/api/driving';
import { projectId, type SessionId } from '@roost/protocol/ids';
import { openRunner } from '@roost/runner/open-runner';
import { type SessionStory, startStory, tellStory } from '../runner/session-story.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';
import type { AgentRig } from './agent-rig.ts';

export type DrivenAgentRoost = AsyncDisposable & {
	readonly api: ApiClient;
	/** Of commands that are to reach this runner. */
	readonly env: Readonly<Record<string, string>>;
	readonly project: string;
	start(body?: Partial<CreateSession>): Promise<SessionStory>;
	/** One that an earlier runner of this home began. */
	find(id: SessionId): SessionStory;
};

export type DrivenAgentOptions = {
	/** By which name, and by which program. */
	agent: string;
	command?: readonly string[];
	rig: Pick<AgentRig, 'project' | 'env'>;
	/** Another runner of the same home after this one; else it gets a home of its own. */
	home?: string;
};

export async function openDrivenAgent({ agent, command, rig, home }: DrivenAgentOptions): Promise<DrivenAgentRoost> {
	await using stack = new AsyncDisposableStack();
	const roostHome = home ?? join(stack.use(await createTempDir()).path, 'roost');
	await mkdir(roostHome, { recursive: true, mode: 0o700 });
	const config = { runner: { port: 0 }, agents: { [agent]: { command, env: rig.env } } };
	if (command) await writeFile(join(roostHome, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
	const env = { ...rig.env, ROOST_HOME: roostHome, ROOST_PORT: '0' };
	const journal = { log: () => {}, hide: () => {} };
	const { home: opened, gateway } = stack.use(unwrap(await openRunner({ env, flags: {}, journal, warn: () => {} })));
	unwrap(writeRunnerFile(opened, { port: gateway.port, version: VERSION, startedAt: Date.now() }));
	stack.defer(() => void removeRunnerFile(opened));
	const token = unwrap(keepToken({ home: opened, env }));
	const api = createApiClient({ baseUrl: gateway.url, token, face: 'cli', fetch: (to, init) => fetch(to, init) });
	const project = await realpath(rig.project);
	const owned = stack.move();
	return {
		api,
		env,
		project,
		start: (body) => startStory(api, { projectId: projectId.parse(project), agent, ...body }),
		find: (id) => tellStory(api, id),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
