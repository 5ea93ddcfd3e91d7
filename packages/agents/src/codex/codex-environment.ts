// What a driven Codex needs in its environment besides what every agent does.
import { createAgentEnvironment } from '../base/agent-environment.ts';

export const toCodexEnvironment = createAgentEnvironment({
	inherited: [
		{
			why: 'Codex finds its configuration, its login and its model',
			names: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE', 'OPENAI_*'],
		},
		{ why: 'Codex reaches the cloud that its models are served from', names: ['AZURE_OPENAI_*', 'AWS_*'] },
	],
	// What another Codex, or the program that started it, left behind.
	withheld: ['CODEX_SANDBOX*', 'CODEX_THREAD_ID', 'CODEX_INTERNAL_*', 'CODEX_MANAGED_*', 'CODEX_CI'],
});
