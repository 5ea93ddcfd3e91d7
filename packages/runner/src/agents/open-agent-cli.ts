// The API over the own commands of the agent that has them, and the processes behind it, which end with the runner.
import type { AgentCli } from '@roost/agents/base/agent-cli';
import { kindWith } from '@roost/agents/kinds';
import { withoutRoost } from '@roost/core/runtime/child-environment';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunnerConfig } from '@roost/home/config/schema';
import { createAgentRuns, findAgent, type RunAgent } from '@roost/home/programs/agent-runs';
import { realTimers } from '@roost/machine/timers';
import type { MarketplaceChange, PluginChange, PluginVerb } from '@roost/protocol/api/plugins';
import type { CallContext } from '@roost/protocol/contract/operation';
import { type CliCommands, createCliCommands } from './cli-commands.ts';
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

const LIST_MS = 10_000;
/** Switches are quick; the others may fetch a whole repository. */
const SWITCH_MS = 15_000;
const FETCH_MS = 180_000;

function pluginHandlers(cli: AgentCli, commands: CliCommands): Backend['plugins'] {
	const change =
		(verb: PluginVerb) =>
		(input: Omit<PluginChange, 'verb'>, { report }: CallContext) => {
			const limitMs = verb === 'enable' || verb === 'disable' ? SWITCH_MS : FETCH_MS;
			return commands.change(input, { ...cli.changePlugin({ ...input, verb }), limitMs, onLine: report });
		};
	return {
		list: ({ project, available = false }) => commands.read({ project }, { ...cli.listPlugins({ available }), limitMs: LIST_MS }),
		install: change('install'),
		enable: change('enable'),
		disable: change('disable'),
		update: change('update'),
		uninstall: change('uninstall'),
	};
}

function marketplaceHandlers(cli: AgentCli, commands: CliCommands): Backend['marketplaces'] {
	const change = (change: MarketplaceChange, { report }: CallContext) => {
		const limitMs = change.verb === 'remove' ? SWITCH_MS : FETCH_MS;
		return commands.change(change, { ...cli.changeMarketplace(change), limitMs, onLine: report });
	};
	return {
		list: (place) => commands.read(place, { ...cli.listMarketplaces(), limitMs: LIST_MS }),
		add: (input, context) => change({ verb: 'add', ...input }, context),
		remove: (input, context) => change({ verb: 'remove', ...input }, context),
		update: (input, context) => change({ verb: 'update', ...input }, context),
	};
}

/** Every server is asked how it is, a few at a time. */
const HEALTH_MS = 30_000;
const CHANGE_MS = 15_000;
/** A person reads, logs in and comes back; shorter than the five minutes after which an HTTP client gives up. */
const LOGIN_MS = 240_000;

function mcpHandlers(cli: AgentCli, commands: CliCommands, runInTerminal: RunAgent): Backend['mcp'] {
	return {
		list: (place) => commands.read(place, { ...cli.listServers(), limitMs: HEALTH_MS }),
		show: ({ project, name }) => commands.read({ project }, { ...cli.showServer(name), limitMs: HEALTH_MS }),
		add: (server) => commands.change(server, { ...cli.addServer(server), limitMs: CHANGE_MS }),
		remove: (server) => commands.change(server, { ...cli.removeServer(server), limitMs: CHANGE_MS }),
		logIn: ({ project, name }, { report }) =>
			commands.change(
				{ project },
				{ ...cli.logIn(name), limitMs: LOGIN_MS, onLine: report, unredacted: true, turn: 'login', run: runInTerminal },
			),
	};
}
