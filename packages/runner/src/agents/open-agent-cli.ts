// The API over the own commands of the agent that has them, and the processes behind it, which end with the runner.
import { kindWith } from '@roost/agents/kinds';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunnerConfig } from '@roost/home/config/schema';
import { createAgentRuns } from '@roost/home/programs/agent-runs';
import { findAgent } from '@roost/home/programs/find-agent';
import { realTimers } from '@roost/machine/timers';
import { createCliCommands } from './cli-commands.ts';
import { mcpHandlers } from './mcp-servers.ts';
import { marketplaceHandlers, pluginHandlers } from './plugins.ts';
import { createTerminalRuns } from './run-in-terminal.ts';

export type OpenAgentCli = AsyncDisposable & {
	handlers: Pick<Backend, 'plugins' | 'marketplaces' | 'mcp'>;
	/** How many commands run now. */
	working(): number;
};

/** The user's own, without what belongs to Roost, and with what is configured for the agent. */
export function commandEnvironment(env: NodeJS.ProcessEnv, configured: Record<string, string>): NodeJS.ProcessEnv {
	return withoutRoost({ ...env, ...configured });
}

export function openAgentCli({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): OpenAgentCli {
	const { cli, known } = kindWith('cli');
	const configured = agents[known.id];
	const deps = {
		name: known.program,
		find: () => findAgent(known, configured?.command, env),
		env: () => commandEnvironment(env, configured?.env ?? {}),
		timers: realTimers,
	};
	const runs = createAgentRuns(deps);
	const terminals = createTerminalRuns({ ...deps, toLines: cli.toLines });
	const commands = createCliCommands({ name: known.program, cli }, runs.run);
	return {
		handlers: {
			plugins: pluginHandlers(cli, commands),
			marketplaces: marketplaceHandlers(cli, commands),
			mcp: mcpHandlers(cli, commands, terminals.run),
		},
		working: () => runs.working() + terminals.working(),
		async [Symbol.asyncDispose]() {
			await Promise.all([runs[Symbol.asyncDispose](), terminals[Symbol.asyncDispose]()]);
		},
	};
}
