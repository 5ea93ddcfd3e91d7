// Claude Code as a kind of agent.
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Drive } from '@roost/protocol/session-row';
import type { AgentKind, DriveSetting } from '../kind/agent-kind.ts';
import { readProjectServers } from '../repository/project-servers.ts';
import { CLAUDE_SETTINGS, repositoryFiles } from '../repository/repository-files.ts';
import { claudeCanary } from './canary.ts';
import { createClaudeAdapter } from './claude-adapter.ts';
import { claudeCli } from './cli/claude-cli.ts';
import { findEmbeddedClaude } from './cli/embedded-claude.ts';
import { CLAUDE_LAUNCH_WORDS } from './hooks/launch-words.ts';
import { openClaudeProbe } from './hooks/probe.ts';
import { CLAUDE_HOOKS } from './install/hook-files.ts';
import { CLAUDE_LAUNCH } from './launch-claude.ts';
import { readClaudePermissions } from './permissions/read-permissions.ts';
import { toAgentEnvironment } from './sdk/agent-environment.ts';
import { removeMcpConfigFiles } from './sdk/mcp-config-file.ts';
import { createClaudeAgent } from './sdk/open-claude-agent.ts';
import { createReadSurroundings } from './sdk/read-surroundings.ts';
import { toClaudeStatus } from './status/claude-status.ts';
import { findOpenClaudes, findStatus } from './status/find-status.ts';
import { foldHookStatus, statusWhileAsked } from './status/status-of-hooks.ts';
import { statusOfScreen } from './status/status-of-screen.ts';
import { readCwd } from './transcript/read-cwd.ts';
import { readPastEvents } from './transcript/read-past-events.ts';
import { readPastSession, summariseClaude } from './transcript/read-transcript.ts';
import { claudeConfigFolder, claudeProjectsFolder, findTranscripts } from './transcript/transcript-folders.ts';
import { createTranscriptUsage } from './transcript/transcript-usage.ts';

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
		words: CLAUDE_LAUNCH_WORDS,
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
	// Claude takes no other id for a conversation.
	inTerminal: { newNativeId: randomUUID, toArgs },
	cli: claudeCli,
	readProjectServers,
	readPermissions: readClaudePermissions,
};

/** `--flag=value` as one word each, so that no value is read as a flag. */
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
		// Another program than the one that was named is never started in its place.
		...(unavailable === undefined ? { command } : { unavailable }),
		privateDir,
		settingSources: config.sdk.settingSources,
		maxTurns: config.sdk.maxTurns,
		askMs: config.sdk.approvalTimeoutMs,
	});
}
