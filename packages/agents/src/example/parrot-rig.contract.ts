// The parrot against a scripted model.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeAnthropic } from '@roost/testkit/fakes/anthropic-server';
import { callTool } from '@roost/testkit/fakes/model-reply';
import type { AgentWords, OpenAgentRig } from '@roost/testkit/rigs/agents/agent-rig';
import { FORWARDER } from '@roost/testkit/rigs/agents/observed-launch';
import { createGitRepository } from '@roost/testkit/rigs/shell/git-repository';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import type { DriveSetting } from '../kind/agent-kind.ts';
import { parrotKind } from './parrot-kind.ts';

export const parrotProgram = fileURLToPath(new URL('./parrot-program.ts', import.meta.url));

export const parrotWords: AgentWords = {
	shell: (command) => callTool('shell', { command }),
	write: (path, text) => callTool('shell', { command: `printf %s '${text}' > '${path}'` }),
	read: (path) => callTool('shell', { command: `cat '${path}'` }),
	question: () => null,
};

const SETTING: Omit<DriveSetting, 'env' | 'command' | 'runDir'> = {
	configured: {},
	unavailable: undefined,
	forwarder: FORWARDER,
	version: '0.0.0',
	config: { runtime: {}, sdk: { settingSources: [], approvalTimeoutMs: FORWARDER.askMs } },
	mcpTrust: { isTrusted: () => false },
};

export const openParrotRig: OpenAgentRig = async ({ script, env = {}, program }) => {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const model = stack.use(await startFakeAnthropic(script));
	const [home, project] = [join(temp.path, 'home'), join(temp.path, 'project')];
	for (const folder of [home, project]) await mkdir(folder);
	const whole = { PATH: process.env.PATH ?? '', HOME: home, PARROT_MODEL_URL: model.url, ...env };
	await createGitRepository(project, whole);
	const argv = program === undefined ? ([process.execPath, parrotProgram] as const) : ([program] as const);
	const owned = stack.move();
	return {
		agent: parrotKind.drive({ ...SETTING, env: whole, command: argv, runDir: home }),
		project,
		home,
		env: whole,
		requests: model.requests,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
};
