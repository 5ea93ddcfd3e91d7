// Claude as this runner drives it: its program, its environment and its surroundings, as the user configured them.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toAgentEnvironment } from '@roost/agents/claude/sdk/agent-environment';
import { removeMcpConfigFiles } from '@roost/agents/claude/sdk/mcp-config-file';
import { createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import { createReadSurroundings } from '@roost/agents/claude/sdk/read-surroundings';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findClaude } from '../claude-cli/find-claude.ts';
import type { RunnerConfig } from '../config/schema.ts';
import type { McpTrust } from './mcp-trust.ts';

export function openClaudeAgent(deps: {
	env: NodeJS.ProcessEnv;
	config: RunnerConfig;
	mcpTrust: McpTrust;
	/** This runner's own. */
	runDir: string;
}): DrivableAgent {
	const { env, config, mcpTrust } = deps;
	const privateDir = join(deps.runDir, 'claude-sessions');
	removeMcpConfigFiles(privateDir);
	const { command, env: configured = {} } = config.agents.claude ?? {};
	const environment = (session: string) => toAgentEnvironment({ processEnv: env, configured, session });
	const found = findClaude(command, env);
	return createClaudeAgent({
		readSurroundings: createReadSurroundings({
			homeDir: env.HOME || homedir(),
			env: environment(''),
			isTrusted: mcpTrust.isTrusted,
		}),
		env: environment,
		// Another program than the one that was named is never started in its place.
		...(found.ok ? { command: found.value } : { unavailable: found.error.message }),
		privateDir,
		settingSources: config.sdk.settingSources,
		maxTurns: config.sdk.maxTurns,
	});
}
