// Codex as a kind of agent.

import { summariseUsage } from '../base/transcripts.ts';
import { userHookInstall } from '../install/hook-files.ts';
import { type AgentKind, TELLS_NO_MORE } from '../kind/agent-kind.ts';
import { repositoryFiles, SHARED_SKILLS } from '../repository/repository-files.ts';
import { findBrokenSandbox } from './broken-sandbox.ts';
import { codexCanary } from './canary.ts';
import { createCodexAdapter } from './codex-adapter.ts';
import { toCodexEnvironment } from './codex-environment.ts';
import { CODEX_USER_HOOKS } from './install/user-hooks.ts';
import { CODEX_LAUNCH } from './launch.ts';
import { createCodexAgent } from './live/create-codex-agent.ts';
import { CODEX_LAUNCH_WORDS } from './observed-words.ts';

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
		words: CODEX_LAUNCH_WORDS,
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
	...TELLS_NO_MORE,
};
