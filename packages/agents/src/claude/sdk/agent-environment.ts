// What a driven Claude needs in its environment besides what every agent does.
import { createAgentEnvironment } from '../../base/agent-environment.ts';

export const toAgentEnvironment = createAgentEnvironment({
	inherited: [
		{ why: 'certificates of a company are known', names: ['CLAUDE_CODE_CLIENT_*'] },
		{
			why: 'Claude finds its configuration, its login and its model',
			names: [
				'CLAUDE_CONFIG_DIR',
				'ANTHROPIC_*',
				'CLAUDE_CODE_OAUTH_TOKEN',
				'CLAUDE_CODE_API_BASE_URL',
				'CLAUDE_CODE_SUBAGENT_MODEL',
			],
		},
		{
			why: 'Claude reaches the cloud that its models are served from',
			names: ['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'AWS_*', 'GOOGLE_*', 'CLOUD_ML_*', 'VERTEX_*', 'GCLOUD_*', 'AZURE_*'],
		},
		{
			why: 'telemetry and traffic are the choice of the user',
			names: ['CLAUDE_CODE_ENABLE_TELEMETRY', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
		},
		{
			why: 'limits that the user set for Claude hold',
			names: ['MAX_THINKING_TOKENS', 'MAX_MCP_OUTPUT_TOKENS', 'MCP_*', 'BASH_*', 'API_TIMEOUT_MS', 'CLAUDE_CODE_MAX_*'],
		},
		{ why: 'as root Claude bypasses permissions only where it is told that it is contained', names: ['IS_SANDBOX'] },
	],
	withheld: [
		'CLAUDECODE',
		'CLAUDE_PID',
		'CLAUDE_PROJECT_DIR',
		'CLAUDE_CODE_ENTRYPOINT',
		'CLAUDE_CODE_SESSION_*',
		'CLAUDE_CODE_MESSAGING_*',
		'CLAUDE_CODE_SSE_PORT',
	],
});
