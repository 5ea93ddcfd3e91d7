// The API for an agent's own commands: plugins, marketplaces and MCP servers. Its processes end with the runner.
import type { AgentCli, CliChange, CliExit, CliQuestion, CommandOutcome } from '@roost/agents/base/agent-cli';
import { kindWith } from '@roost/agents/kinds';
import { createRedactor } from '@roost/core/redaction/redact';
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
import { findFolder } from '@roost/home/project';
import { endGroup, signalGroup } from '@roost/machine/child-process';
import { createInTurn } from '@roost/machine/in-turn';
import { sha256 } from '@roost/machine/sha256';
import type { TerminalProcess } from '@roost/machine/terminal-process';
import { realTimers } from '@roost/machine/timers';
import type { CommandOutput } from '@roost/protocol/api/agent-commands';
import type { MarketplaceChange, PluginChange, PluginVerb } from '@roost/protocol/api/plugins';
import { AppError } from '@roost/protocol/app-error';
import type { CallContext } from '@roost/protocol/contract/operation';
import { err, ok, type Result } from '@roost/protocol/result';

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
/** Time for a person to log in; shorter than the usual HTTP timeout of five minutes. */
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

type Place = { project: string };

type CliCommands = {
	read<T>(place: Place, question: Question<T>): Promise<Result<T>>;
	/** Changes run one after the other. */
	change(place: Place, change: Change): Promise<Result<CommandOutput>>;
};

type Question<T> = CliQuestion<T> & { limitMs: number };

type Change = CliChange & {
	limitMs: number;
	onLine?: ((line: string) => void) | undefined;
	/** For output such as the address of a login. */
	unredacted?: boolean;
	/** Changes of the same turn run one after the other. */
	turn?: string;
	/** Replaces the usual way to run it. */
	run?: RunAgent;
};

const MOST_WAITING = 16;

/** `name`: of the program, for errors. */
function createCliCommands({ name, cli }: { name: string; cli: AgentCli }, usual: RunAgent): CliCommands {
	const inTurn = createInTurn<string>();
	const { redact } = createRedactor(sha256);
	let waiting = 0;

	async function take<T>(turn: string, place: Place, work: (cwd: string) => Promise<Result<T>>): Promise<Result<T>> {
		const cwd = await findFolder(place.project, 'project');
		if (!cwd.ok) return cwd;
		if (waiting >= MOST_WAITING) return err(new AppError('conflict', `${name} is busy with earlier commands. Retry later.`));
		waiting += 1;
		try {
			return await inTurn(turn, () => work(cwd.value));
		} finally {
			waiting -= 1;
		}
	}

	return {
		read: (place, { args, limitMs, env, parse }) =>
			take('read', place, async (cwd) => {
				const exit = await runKnown(cli, usual, { args, cwd, limitMs, env });
				if (!exit.ok) return exit;
				const outcome = cli.readOutcome(exit.value);
				return outcome.ok
					? ok(redact(parse(exit.value.stdout)).value)
					: err(toError(name, args, outcome, (words) => redact(words).value));
			}),
		change: (place, { args, limitMs, onLine, secrets = [], unredacted = false, turn = 'change', run = usual }) =>
			take(turn, place, async (cwd) => {
				const hide = (words: string) => cli.hide(words, secrets);
				const clean = unredacted ? hide : (words: string) => redact(hide(words)).value;
				const onClean = onLine && ((line: string) => onLine(clean(line)));
				const exit = await runKnown(cli, run, { args, cwd, limitMs, onLine: onClean });
				if (!exit.ok) return exit;
				const outcome = cli.readOutcome(exit.value);
				return outcome.ok ? ok({ output: clean(outcome.output).trim() }) : err(toError(name, args, outcome, clean));
			}),
	};
}

/** Retries without `--json` for versions that do not know it. */
async function runKnown(cli: AgentCli, run: RunAgent, call: Parameters<RunAgent>[0]): Promise<Result<CliExit>> {
	const first = await run(call);
	if (!first.ok || !call.args.includes('--json')) return first;
	const outcome = cli.readOutcome(first.value);
	if (outcome.ok || outcome.kind !== 'unknown_option') return first;
	return await run({ ...call, args: call.args.filter((arg) => arg !== '--json') });
}

type Failure = Extract<CommandOutcome, { ok: false }>;

function toError(name: string, args: readonly string[], { kind, words }: Failure, clean: (words: string) => string): AppError {
	const text = clean(words).slice(0, MOST_WORDS).trim();
	const sentence = /[.!?)]$/.test(text) ? text : `${text}.`;
	const group = args[0] === 'mcp' ? 'mcp' : 'plugins';
	switch (kind) {
		case 'not_found':
			return new AppError('not_found', `${name} says: ${sentence} Run "roost ${group}" to list them.`);
		case 'conflict':
			return new AppError('conflict', `${name} says: ${sentence} Nothing was changed.`);
		case 'needs_consent':
			return new AppError('conflict', `${name} says: ${sentence} Read it, and pass its sha256 with --accept-command to accept.`);
		default:
			return new AppError('agent_failed', `${nameOf(name, args)} failed: ${sentence} Fix this and retry.`);
	}
}

const MOST_WORDS = 300;
