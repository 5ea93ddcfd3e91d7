// What a driven Copilot needs in its environment besides what every agent does.
import { createAgentEnvironment } from '../base/agent-environment.ts';

export const toCopilotEnvironment = createAgentEnvironment({
	inherited: [
		{
			why: 'Copilot finds its configuration, its program and its model',
			names: [
				'COPILOT_HOME',
				'COPILOT_CACHE_HOME',
				'COPILOT_PKG_CACHE_HOME',
				'COPILOT_MODEL',
				'COPILOT_PROVIDER_*',
				'COPILOT_OFFLINE',
			],
		},
		{
			why: 'Copilot logs in as its user',
			names: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'COPILOT_GH_HOST', 'COPILOT_PROXY_*'],
		},
		{
			why: 'what the user chose for Copilot holds',
			names: [
				'COPILOT_AUTO_UPDATE',
				'COPILOT_AUTO_TIER',
				'COPILOT_CUSTOM_INSTRUCTIONS_DIRS',
				'COPILOT_SKILLS_DIRS',
				'USE_BUILTIN_RIPGREP',
			],
		},
	],
	// What would decide in place of whoever is asked, or make it think that another of its kind started it.
	withheld: [
		'COPILOT_ALLOW_ALL',
		'COPILOT_ASSISTED_APPROVAL',
		'COPILOT_HOOK_*',
		'COPILOT_PROMPT_MODE_*',
		'COPILOT_CLI',
		'COPILOT_AGENT_*',
		'COPILOT_DETACHED*',
		'COPILOT_LOADER_PID',
		'COPILOT_RUN_APP',
	],
});
