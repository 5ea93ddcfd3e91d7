// What an agent that this runner drives is made with.
import type { Argv } from '../claude-cli/find-claude.ts';
import type { RunnerConfig } from '../config/schema.ts';
import type { McpTrust } from './mcp-trust.ts';

export type DrivableDeps = {
	env: NodeJS.ProcessEnv;
	config: RunnerConfig;
	mcpTrust: McpTrust;
	/** A folder of this user only, for sockets. */
	runDir: string;
};

export type AgentSetting = DrivableDeps & {
	/** Of config.yaml, `agents.<id>.env`. */
	configured: Readonly<Record<string, string>>;
	/** Its program and what it is started through. */
	command: Argv;
	/** Why there is no such program. */
	unavailable: string | undefined;
};
