// Claude as this runner drives it: its program, its environment and its surroundings, as the user configured them.
import { homedir } from 'node:os';
import { toAgentEnvironment } from '@roost/agents/claude/sdk/agent-environment';
import { createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import { createReadSurroundings } from '@roost/agents/claude/sdk/read-surroundings';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findClaude } from '../claude-cli/find-claude.ts';
import type { RunnerConfig } from '../config/schema.ts';
import type { McpTrust } from './mcp-trust.ts';

export function openClaudeAgent(deps: { env: NodeJS.ProcessEnv; config: RunnerConfig; mcpTrust: McpTrust }): DrivableAgent {
	const { env, config, mcpTrust } = deps;
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
		...(found.ok ? { executable: found.value[0] } : { unavailable: found.error.message }),
		settingSources: config.sdk.settingSources,
		maxTurns: config.sdk.maxTurns,
	});
}
