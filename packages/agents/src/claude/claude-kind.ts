// Claude Code as a kind of agent.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { AgentKind, DriveSetting } from '../agent-kind.ts';
import { claudeCanary } from './canary.ts';
import { createClaudeRuntime } from './claude-runtime.ts';
import { findEmbeddedClaude } from './cli/embedded-claude.ts';
import { toAgentEnvironment } from './sdk/agent-environment.ts';
import { removeMcpConfigFiles } from './sdk/mcp-config-file.ts';
import { createClaudeAgent } from './sdk/open-claude-agent.ts';
import { createReadSurroundings } from './sdk/read-surroundings.ts';

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
	runtime: () => createClaudeRuntime(),
	environment: toAgentEnvironment,
	drive,
	canary: claudeCanary,
};

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
