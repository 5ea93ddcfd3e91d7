// Runs an agent's own commands for plugins and MCP servers: folder, order, and errors.
import type { AgentCli, CliChange, CliExit, CliQuestion, CommandOutcome } from '@roost/agents/base/agent-cli';
import { createRedactor } from '@roost/core/redaction/redact';
import { nameOf, type RunAgent } from '@roost/home/programs/agent-runs';
import { findFolder } from '@roost/home/project';
import { createInTurn } from '@roost/machine/in-turn';
import { sha256 } from '@roost/machine/sha256';
import type { CommandOutput } from '@roost/protocol/api/agent-commands';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type Place = { project: string };

export type CliCommands = {
	read<T>(place: Place, question: Question<T>): Promise<Result<T>>;
	/** Changes run one after the other. */
	change(place: Place, change: Change): Promise<Result<CommandOutput>>;
};

export type Question<T> = CliQuestion<T> & { limitMs: number };

export type Change = CliChange & {
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
export function createCliCommands({ name, cli }: { name: string; cli: AgentCli }, usual: RunAgent): CliCommands {
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
