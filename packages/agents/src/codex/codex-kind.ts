// Codex as a kind of agent.

import { withoutRoost } from '@roost/core/runtime/child-environment';
import { findProgram } from '@roost/machine/find-program';
import { runProgram } from '@roost/machine/run-program';
import { createAgentEnvironment } from '../base/agent-environment.ts';
import { summariseUsage } from '../base/transcripts.ts';
import { userHookInstall } from '../install/user-hooks.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { repositoryFiles, SHARED_SKILLS } from '../repository/describe-repository.ts';
import { codexCanary } from './canary.ts';
import { createCodexAdapter } from './codex-adapter.ts';
import { CODEX_USER_HOOKS } from './install/user-hooks.ts';
import { CODEX_LAUNCH } from './launch.ts';
import { createCodexAgent } from './live/codex-setup.ts';
import { CODEX_HOOK_PROTOCOL } from './observed-hooks.ts';

const LIMIT_MS = 10_000;
const REMEDY = 'Install a newer bubblewrap, or remove this one: Codex brings its own.';

type Obstacle = { says: string; remedy: string };

/** Null where no problem is known. */
export async function findBrokenSandbox(env: NodeJS.ProcessEnv): Promise<Obstacle | null> {
	const path = findProgram('bwrap', env);
	if (path === null) return null;
	const ended = await runProgram([path, '--version'], { env: withoutRoost(env), limitMs: LIMIT_MS }).ended;
	if (!ended.ok || ended.value.stdout.trim() !== 'bubblewrap 0.8.0') return null;
	return { says: `${path} is bubblewrap 0.8.0, with which every sandboxed command of Codex fails`, remedy: REMEDY };
}

export const toCodexEnvironment = createAgentEnvironment({
	inherited: [
		{
			why: 'Codex finds its configuration, its login and its model',
			names: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE', 'OPENAI_*'],
		},
		{ why: 'Codex can access the cloud of its models', names: ['AZURE_OPENAI_*', 'AWS_*'] },
	],
	// Left behind by another Codex or the program that started it.
	withheld: ['CODEX_SANDBOX*', 'CODEX_THREAD_ID', 'CODEX_INTERNAL_*', 'CODEX_MANAGED_*', 'CODEX_CI'],
});

export const codexKind: AgentKind = {
	known: {
		id: 'codex',
		title: 'Codex',
		program: 'codex',
		version: /^codex-cli (\d+\.\d+\.\d+)/m,
		oldest: '0.166.0',
		observed: 'roost codex',
		findObstacle: findBrokenSandbox,
	},
	adapter: createCodexAdapter,
	environment: toCodexEnvironment,
	models: {},
	drive: ({ env, configured, command, unavailable, runDir, forwarder, version }) =>
		createCodexAgent({
			env: (session) => toCodexEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			runDir,
			forwarder,
			version,
		}),
	canary: codexCanary,
	observed: {
		protocol: CODEX_HOOK_PROTOCOL,
		launch: CODEX_LAUNCH,
		hooks: userHookInstall(CODEX_USER_HOOKS),
		repository: [
			...repositoryFiles('toml', '.codex/config.toml'),
			...repositoryFiles('json', '.codex/hooks.json'),
			...repositoryFiles('names', '.codex/rules', '.codex/agents', '.codex/skills'),
			...SHARED_SKILLS,
		],
		openProbe: null,
	},
	summarise: summariseUsage(createCodexAdapter()),
	...NOT_SUPPORTED,
};
