// What the desks for plugins and for MCP servers share: where a command runs, whose turn it is, and how its end is told.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { AgentCli, CliChange, CliExit, CliQuestion, CommandOutcome } from '@roost/agents/base/agent-cli';
import { createRedactor } from '@roost/core/redaction/redact';
import { nameOf, type RunAgent } from '@roost/home/programs/agent-runs';
import { createInTurn } from '@roost/machine/in-turn';
import { sha256 } from '@roost/machine/sha256';
import type { CommandOutput } from '@roost/protocol/api/agent-commands';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type Place = { project: string };

export type CliCommands = {
	/** A question: its output, if it ended well. */
	read<T>(place: Place, question: Question<T>): Promise<Result<T>>;
	/** A change; changes are made one after the other. */
	change(place: Place, change: Change): Promise<Result<CommandOutput>>;
};

export type Question<T> = CliQuestion<T> & { limitMs: number };

export type Change = CliChange & {
	limitMs: number;
	onLine?: ((line: string) => void) | undefined;
	/** For what has to come through whole, such as the address of a login. */
	unredacted?: boolean;
	/** Whose turn it waits for. */
	turn?: string;
	/** How it is run, where that is not the usual way. */
	run?: RunAgent;
};

const MOST_WAITING = 16;

/** Whose commands they are, and its program's name in sentences. */
export type CommandOwner = { name: string; cli: AgentCli };

export function createCliCommands({ name, cli }: CommandOwner, usual: RunAgent): CliCommands {
	const inTurn = createInTurn<string>();
	const { redact } = createRedactor(sha256);
	let waiting = 0;

	async function take<T>(turn: string, place: Place, work: (cwd: string) => Promise<Result<T>>): Promise<Result<T>> {
		const cwd = await findFolder(place.project);
		if (!cwd.ok) return cwd;
		if (waiting >= MOST_WAITING) return err(new AppError('conflict', `${name} is busy with earlier commands: try again soon.`));
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
				const told = onLine && ((line: string) => onLine(clean(line)));
				const exit = await runKnown(cli, run, { args, cwd, limitMs, onLine: told });
				if (!exit.ok) return exit;
				const outcome = cli.readOutcome(exit.value);
				return outcome.ok ? ok({ output: clean(outcome.output).trim() }) : err(toError(name, args, outcome, clean));
			}),
	};
}

/** A version that does not know `--json` is asked again in the way it knows. */
async function runKnown(cli: AgentCli, run: RunAgent, call: Parameters<RunAgent>[0]): Promise<Result<CliExit>> {
	const first = await run(call);
	if (!first.ok || !call.args.includes('--json')) return first;
	const outcome = cli.readOutcome(first.value);
	if (outcome.ok || outcome.kind !== 'unknown_option') return first;
	return await run({ ...call, args: call.args.filter((arg) => arg !== '--json') });
}

async function findFolder(project: string): Promise<Result<string>> {
	const refused = err(new AppError('bad_request', 'project: expected the absolute path of a folder that exists.'));
	if (!isAbsolute(project)) return refused;
	try {
		const path = await realpath(project);
		return (await stat(path)).isDirectory() ? ok(path) : refused;
	} catch {
		// Missing, not ours to read, or no path at all: whoever named it hears the same.
		return refused;
	}
}

type Failure = Extract<CommandOutcome, { ok: false }>;

function toError(name: string, args: readonly string[], { kind, words }: Failure, clean: (words: string) => string): AppError {
	const said = clean(words).slice(0, MOST_WORDS).trim();
	const sentence = /[.!?)]$/.test(said) ? said : `${said}.`;
	const group = args[0] === 'mcp' ? 'mcp' : 'plugins';
	switch (kind) {
		case 'not_found':
			return new AppError('not_found', `${name} says: ${sentence} See what there is with "roost ${group}".`);
		case 'conflict':
			return new AppError('conflict', `${name} says: ${sentence} Nothing was changed.`);
		case 'needs_consent':
			return new AppError(
				'conflict',
				`${name} says: ${sentence} Read it, and say --accept-command with that sha256 to accept it.`,
			);
		default:
			return new AppError('agent_failed', `${nameOf(name, args)} failed: ${sentence} Fix this and retry.`);
	}
}

/** An error is one sentence on a screen, and its end says what to do. */
const MOST_WORDS = 300;
