// The API for an agent's own commands: plugins, marketplaces and MCP servers. Its processes end with the runner.
import type { AgentCli, CliExit } from '@roost/agents/base/agent-cli';
import { kindWith } from '@roost/agents/kinds';
import { onlySet, withoutRoost } from '@roost/core/runtime/child-environment';
import type { Backend } from '@roost/gateway/operations/backend';
import type { RunnerConfig } from '@roost/home/config/schema';
import {
	type AgentCall,
	type AgentRuns,
	type AgentRunsDeps,
	createAgentRuns,
	findAgent,
	keepRuns,
	nameOf,
	type RunAgent,
	tookTooLong,
} from '@roost/home/programs/agent-runs';
import { endGroup, signalGroup } from '@roost/machine/child-process';
import type { TerminalProcess } from '@roost/machine/terminal-process';
import { realTimers } from '@roost/machine/timers';
import type { MarketplaceChange, PluginChange, PluginVerb } from '@roost/protocol/api/plugins';
import type { CallContext } from '@roost/protocol/contract/operation';
import { err, ok, type Result } from '@roost/protocol/result';
import { type CliCommands, createCliCommands } from './cli-commands.ts';

export type OpenAgentCli = AsyncDisposable & {
	handlers: Pick<Backend, 'plugins' | 'marketplaces' | 'mcp'>;
	working(): number;
};

/** The user's environment without Roost's variables, plus the agent's configured ones. */
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
/** Installing and updating may fetch a whole repository. */
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

/** The agent checks every server, a few at a time. */
const HEALTH_MS = 30_000;
const CHANGE_MS = 15_000;
/** A person logs in meanwhile; shorter than the usual HTTP timeout of five minutes. */
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

type TerminalRunsDeps = AgentRunsDeps & Pick<AgentCli, 'toLines'>;

export function createTerminalRuns(deps: TerminalRunsDeps): AgentRuns {
	return keepRuns(deps, async ([program, ...before], call, env) => {
		const { openPty } = await import('@roost/machine/open-pty');
		const argv = [program, ...before, ...call.args] as const;
		const opened = openPty({ argv, cwd: call.cwd, env: { ...onlySet(env), TERM: 'xterm' }, size: SIZE });
		return opened.ok ? ok({ pid: opened.value.pid, ended: follow(opened.value, call, deps) }) : opened;
	});
}

/** Wide enough not to wrap a URL. */
const SIZE = { cols: 4_000, rows: 50 };

function follow(
	terminal: TerminalProcess,
	{ args, limitMs, onLine = () => {} }: AgentCall,
	{ name, toLines, timers }: TerminalRunsDeps,
) {
	const decoder = new TextDecoder();
	let raw = '';
	let reported = 0;
	const reportLines = (upTo: number) => {
		const lines = toLines(raw.slice(0, upTo));
		for (const line of lines.slice(reported)) onLine(line);
		reported = Math.max(reported, lines.length);
	};
	terminal.onBytes((bytes) => {
		raw = (raw + decoder.decode(bytes, { stream: true })).slice(0, MOST_KEPT);
		reportLines(raw.lastIndexOf('\n') + 1);
	});
	return new Promise<Result<CliExit>>((resolve) => {
		let late = false;
		let cancelKill = () => {};
		const cancelLimit = timers.after(limitMs, () => {
			late = true;
			cancelKill = endGroup(terminal.pid, timers);
		});
		terminal.onExit(({ exitCode = null }) => {
			cancelLimit();
			cancelKill();
			signalGroup(terminal.pid, 'SIGKILL');
			reportLines(raw.length);
			resolve(late ? err(tookTooLong(nameOf(name, args), limitMs)) : ok(toExit(exitCode, toLines(raw))));
		});
	});
}

const MOST_KEPT = 100_000;

/** A terminal has one stream; its last line is the result. */
function toExit(code: number | null, lines: readonly string[]): CliExit {
	const last = lines.at(-1) ?? '';
	return code === 0 ? { code, stdout: last, stderr: '' } : { code, stdout: '', stderr: last };
}
