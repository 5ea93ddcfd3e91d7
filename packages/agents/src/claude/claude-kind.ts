// Claude Code as a kind of agent.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Drive } from '@roost/protocol/session-row';
import { createAgentEnvironment } from '../base/agent-environment.ts';
import type { AgentKind, DriveSetting } from '../kind/agent-kind.ts';
import { CLAUDE_SETTINGS, repositoryFiles } from '../repository/describe-repository.ts';
import { readProjectServers } from '../repository/mcp-config.ts';
import { claudeCanary } from './canary.ts';
import { createClaudeAdapter } from './claude-adapter.ts';
import { claudeCli } from './cli/claude-cli.ts';
import { findEmbeddedClaude } from './cli/embedded-claude.ts';
import { CLAUDE_HOOK_PROTOCOL } from './hooks/decision-mapper.ts';
import { openClaudeProbe } from './hooks/probe.ts';
import { CLAUDE_HOOKS } from './install/project-hooks.ts';
import { CLAUDE_LAUNCH } from './launch.ts';
import { readClaudePermissions } from './permissions/read-permissions.ts';
import { createClaudeAgent } from './sdk/open-claude-agent.ts';
import { removeMcpConfigFiles } from './sdk/options.ts';
import { createReadSurroundings } from './sdk/read-surroundings.ts';
import { foldHookStatus, statusOfScreen, statusWhileAsked, toClaudeStatus } from './status/claude-status.ts';
import { findOpenClaudes, findStatus } from './status/status-file.ts';
import { readPastEvents } from './transcript/read-past-events.ts';
import { createTranscriptUsage, readPastSession, summariseClaude } from './transcript/read-transcript.ts';
import { claudeConfigFolder, claudeProjectsFolder, findTranscripts, readCwd } from './transcript/transcript-folders.ts';

export const toAgentEnvironment = createAgentEnvironment({
	inherited: [
		{ why: 'company certificates are accepted', names: ['CLAUDE_CODE_CLIENT_*'] },
		{
			why: 'Claude finds its configuration, its login and its model',
			names: 'CLAUDE_CONFIG_DIR ANTHROPIC_* CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CODE_API_BASE_URL CLAUDE_CODE_SUBAGENT_MODEL'.split(
				' ',
			),
		},
		{
			why: 'Claude can access the cloud of its models',
			names: ['CLAUDE_CODE_USE_*', 'CLAUDE_CODE_SKIP_*', 'AWS_*', 'GOOGLE_*', 'CLOUD_ML_*', 'VERTEX_*', 'GCLOUD_*', 'AZURE_*'],
		},
		{
			why: 'telemetry and traffic are up to the user',
			names: ['CLAUDE_CODE_ENABLE_TELEMETRY', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
		},
		{
			why: 'limits set by the user apply',
			names: ['MAX_THINKING_TOKENS', 'MAX_MCP_OUTPUT_TOKENS', 'MCP_*', 'BASH_*', 'API_TIMEOUT_MS', 'CLAUDE_CODE_MAX_*'],
		},
		{ why: 'as root, Claude bypasses permissions only in a declared sandbox', names: ['IS_SANDBOX'] },
	],
	withheld: [
		'CLAUDECODE CLAUDE_PID CLAUDE_PROJECT_DIR CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_* CLAUDE_CODE_MESSAGING_*',
		'CLAUDE_CODE_SSE_PORT',
	].flatMap((line) => line.split(' ')),
});

export const claudeKind: AgentKind = {
	known: {
		id: 'claude',
		title: 'Claude Code',
		program: 'claude',
		bundled: findEmbeddedClaude,
		version: /^(\d+\.\d+\.\d+)\S* \(Claude Code\)/m,
		oldest: '2.1.0',
		observed: 'roost claude, or hooks in a project',
	},
	adapter: () => createClaudeAdapter(),
	environment: toAgentEnvironment,
	models: { opus: 'opus', sonnet: 'sonnet', haiku: 'haiku' },
	drive,
	canary: claudeCanary,
	observed: {
		protocol: CLAUDE_HOOK_PROTOCOL,
		launch: CLAUDE_LAUNCH,
		hooks: CLAUDE_HOOKS,
		repository: [
			...CLAUDE_SETTINGS,
			...repositoryFiles('json', '.mcp.json'),
			...repositoryFiles('names', '.claude/agents', '.claude/commands', '.claude/skills'),
		],
		openProbe: openClaudeProbe,
	},
	summarise: summariseClaude,
	readUsage: createTranscriptUsage,
	past: {
		projectFolder: '.claude',
		folder: claudeProjectsFolder,
		find: findTranscripts,
		readCwd,
		readSession: readPastSession,
		readEvents: readPastEvents,
	},
	status: {
		folder: claudeConfigFolder,
		findFile: findStatus,
		findOpen: findOpenClaudes,
		readScreen: statusOfScreen,
		foldReport: foldHookStatus,
		whileAsked: statusWhileAsked,
		weigh: toClaudeStatus,
	},
	// Claude accepts only UUIDs.
	inTerminal: { newNativeId: randomUUID, toArgs },
	cli: claudeCli,
	readProjectServers,
	readPermissions: readClaudePermissions,
};

/** One word per flag, so that no value is read as a flag. */
function toArgs({ model, permission_mode }: Drive, nativeId: string, isNew: boolean): string[] {
	return [
		isNew ? `--session-id=${nativeId}` : `--resume=${nativeId}`,
		...(model ? [`--model=${model}`] : []),
		...(permission_mode ? [`--permission-mode=${permission_mode === 'default' ? 'manual' : permission_mode}`] : []),
	];
}

function drive({ env, configured, command, unavailable, config, mcpTrust, runDir }: DriveSetting): DrivableAgent {
	const privateDir = join(runDir, 'claude-sessions');
	removeMcpConfigFiles(privateDir);
	const environment = (session: string) => toAgentEnvironment({ processEnv: env, configured, session });
	return createClaudeAgent({
		readSurroundings: createReadSurroundings({
			homeDir: env.HOME || homedir(),
			env: environment(''),
			isTrusted: mcpTrust.isTrusted,
		}),
		env: environment,
		// A missing program is never replaced by another one.
		...(unavailable === undefined ? { command } : { unavailable }),
		privateDir,
		settingSources: config.sdk.settingSources,
		maxTurns: config.sdk.maxTurns,
		askMs: config.sdk.approvalTimeoutMs,
	});
}
