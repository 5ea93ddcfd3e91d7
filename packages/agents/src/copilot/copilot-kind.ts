// GitHub Copilot as a kind of agent.

import { summariseUsage } from '../base/transcripts.ts';
import { userHookInstall } from '../install/hook-files.ts';
import { type AgentKind, TELLS_NO_MORE } from '../kind/agent-kind.ts';
import { CLAUDE_SETTINGS, repositoryFiles, SHARED_SKILLS } from '../repository/repository-files.ts';
import { copilotCanary } from './canary.ts';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { createCopilotAgent } from './copilot-agent.ts';
import { toCopilotEnvironment } from './copilot-environment.ts';
import { COPILOT_USER_HOOKS } from './install/user-hooks.ts';
import { COPILOT_LAUNCH } from './launch.ts';
import { COPILOT_LAUNCH_WORDS } from './observed-words.ts';

export const copilotKind: AgentKind = {
	known: {
		id: 'copilot',
		title: 'GitHub Copilot',
		program: 'copilot',
		version: /\bCopilot CLI (\d+\.\d+\.\d+)/,
		oldest: '1.0.102',
		observed: 'roost copilot',
	},
	adapter: createCopilotAdapter,
	environment: toCopilotEnvironment,
	models: { opus: 'claude-opus-5.5', sonnet: 'claude-sonnet-5', haiku: 'claude-haiku-4.5' },
	drive: ({ env, configured, command, unavailable, config }) =>
		createCopilotAgent({
			env: (session) => toCopilotEnvironment({ processEnv: env, configured, session }),
			command,
			unavailable,
			askMs: config.sdk.approvalTimeoutMs,
		}),
	canary: copilotCanary,
	observed: {
		words: COPILOT_LAUNCH_WORDS,
		launch: COPILOT_LAUNCH,
		hooks: userHookInstall(COPILOT_USER_HOOKS),
		repository: [
			...repositoryFiles('names', '.github/hooks', '.github/extensions'),
			...repositoryFiles('json', '.github/copilot/settings.json', '.github/copilot/settings.local.json'),
			...CLAUDE_SETTINGS,
			...repositoryFiles('json', '.mcp.json', '.github/mcp.json', '.vscode/mcp.json', '.copilot/mcp-config.json'),
			...repositoryFiles('json', '.github/lsp.json'),
			...repositoryFiles('names', '.github/agents', '.claude/agents', '.github/skills', '.claude/skills'),
			...SHARED_SKILLS,
		],
		openProbe: null,
	},
	summarise: summariseUsage(createCopilotAdapter()),
	...TELLS_NO_MORE,
};
