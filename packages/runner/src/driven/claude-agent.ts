// Claude as this runner drives it: its program, its environment and its surroundings, as the user configured them.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toAgentEnvironment } from '@roost/agents/claude/sdk/agent-environment';
import { removeMcpConfigFiles } from '@roost/agents/claude/sdk/mcp-config-file';
import { createClaudeAgent } from '@roost/agents/claude/sdk/open-claude-agent';
import { createReadSurroundings } from '@roost/agents/claude/sdk/read-surroundings';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { AgentSetting } from './agent-setting.ts';

export function openClaudeAgent({
	env,
	configured,
	command,
	unavailable,
	config,
	mcpTrust,
	runDir,
}: AgentSetting): DrivableAgent {
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
	});
}
