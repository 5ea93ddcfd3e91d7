// The API over claude's own command line, and the processes behind it, which end with the runner.
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunnerConfig } from '@roost/home/config/schema';
import { claudeEnvironment, findClaude } from '@roost/home/programs/find-claude';
import { createClaudeRuns } from '@roost/home/programs/run-claude';
import { realTimers } from '@roost/machine/timers';
import { createClaudeCommands } from './claude-commands.ts';
import { mcpHandlers } from './mcp-servers.ts';
import { marketplaceHandlers, pluginHandlers } from './plugins.ts';
import { createTerminalRuns } from './run-in-terminal.ts';

export type ClaudeCli = AsyncDisposable & {
	handlers: Pick<Backend, 'plugins' | 'marketplaces' | 'mcp'>;
	/** How many commands run now. */
	working(): number;
};

export function openClaudeCli({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): ClaudeCli {
	const { claude } = agents;
	const deps = {
		find: () => findClaude(claude?.command, env),
		env: () => claudeEnvironment(env, claude?.env ?? {}),
		timers: realTimers,
	};
	const runs = createClaudeRuns(deps);
	const terminals = createTerminalRuns(deps);
	const commands = createClaudeCommands(runs.run);
	return {
		handlers: {
			plugins: pluginHandlers(commands),
			marketplaces: marketplaceHandlers(commands),
			mcp: mcpHandlers(commands, terminals.run),
		},
		working: () => runs.working() + terminals.working(),
		async [Symbol.asyncDispose]() {
			await Promise.all([runs[Symbol.asyncDispose](), terminals[Symbol.asyncDispose]()]);
		},
	};
}
