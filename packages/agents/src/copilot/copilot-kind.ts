// GitHub Copilot as a kind of agent.
import { createAgentEnvironment } from '../base/agent-environment.ts';
import { summariseUsage } from '../base/transcripts.ts';
import { type CanaryAgent, chatCanary } from '../guards/canary.ts';
import { userHookInstall } from '../install/user-hooks.ts';
import { type AgentKind, NOT_SUPPORTED } from '../kind/agent-kind.ts';
import { CLAUDE_SETTINGS, repositoryFiles, SHARED_SKILLS } from '../repository/describe-repository.ts';
import { createCopilotAdapter } from './copilot-adapter.ts';
import { createCopilotAgent } from './copilot-agent.ts';
import { COPILOT_LAUNCH } from './launch.ts';
import { COPILOT_HOOK_PROTOCOL, COPILOT_USER_HOOKS } from './observed-hooks.ts';

export const copilotCanary: CanaryAgent = {
	...chatCanary({ description: 'Show that the guard is there' }),
	launch: async ({ modelUrl, deployed }) => ({
		args: [
			...deployed.argv,
			'--allow-all-tools',
			'--no-auto-update',
			'--disable-builtin-mcps',
			'--model=roost-canary',
			'--prompt=Go on.',
		],
		env: {
			COPILOT_OFFLINE: 'true',
			COPILOT_PROVIDER_TYPE: 'openai',
			COPILOT_PROVIDER_WIRE_API: 'completions',
			COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
			COPILOT_PROVIDER_API_KEY: 'roost-canary',
			NO_PROXY: '127.0.0.1',
			no_proxy: '127.0.0.1',
		},
	}),
};

export const toCopilotEnvironment = createAgentEnvironment({
	inherited: [
		{
			why: 'Copilot finds its configuration, its program and its model',
			names: 'COPILOT_HOME COPILOT_CACHE_HOME COPILOT_PKG_CACHE_HOME COPILOT_MODEL COPILOT_PROVIDER_* COPILOT_OFFLINE'.split(' '),
		},
		{
			why: 'Copilot logs in as its user',
			names: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'COPILOT_GH_HOST', 'COPILOT_PROXY_*'],
		},
		{
			why: 'choices of the user apply',
			names:
				'COPILOT_AUTO_UPDATE COPILOT_AUTO_TIER COPILOT_CUSTOM_INSTRUCTIONS_DIRS COPILOT_SKILLS_DIRS USE_BUILTIN_RIPGREP'.split(
					' ',
				),
		},
	],
	// They would decide instead of the user, or mark a nested agent.
	withheld: [
		'COPILOT_ALLOW_ALL COPILOT_ASSISTED_APPROVAL COPILOT_HOOK_* COPILOT_PROMPT_MODE_* COPILOT_CLI COPILOT_AGENT_*',
		'COPILOT_DETACHED* COPILOT_LOADER_PID COPILOT_RUN_APP',
	].flatMap((line) => line.split(' ')),
});

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
		protocol: COPILOT_HOOK_PROTOCOL,
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
	...NOT_SUPPORTED,
};
