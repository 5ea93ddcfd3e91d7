// The options of "roost run", checked before anything is started.
import { resolve } from 'node:path';
import { MOST_PROMPT } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { MOST_TURNS } from '@roost/protocol/most-turns';
import { err, ok, type Result } from '@roost/protocol/result';

export type RunOptions = {
	agent?: string;
	model?: string;
	permissionMode?: string;
	onAsk?: string;
	timeout?: string;
	maxTurns?: string;
	resume?: string;
	cwd?: string;
	json?: boolean;
	quiet?: boolean;
};

export type RunRequest = {
	/** Defaults to the configured agent. */
	agent?: string | undefined;
	model?: string | undefined;
	permissionMode?: string | undefined;
	onAsk: OnAsk;
	timeoutMs?: number | undefined;
	/** Model calls per prompt. */
	maxTurns?: number | undefined;
	/** Session ID or a prefix of it. */
	resume?: string | undefined;
	cwd: string;
};

const ON_ASK = ['wait', 'deny', 'fail'] as const;
export type OnAsk = (typeof ON_ASK)[number];

/** Within the range of timers. */
const MOST_SECONDS = 1_000_000;

export function toRunRequest(options: RunOptions, world: { cwd: string; isWatched: boolean }): Result<RunRequest> {
	const { agent, model, permissionMode, resume } = options;
	const settings = { agent, model, 'permission-mode': permissionMode, 'max-turns': options.maxTurns };
	const given = Object.entries({ ...settings, resume, cwd: options.cwd });
	const empty = given.find(([, value]) => value === '');
	if (empty) return err(new AppError('usage', `--${empty[0]} takes a value; it was empty.`));
	const chosen = given.find(([name, value]) => name !== 'resume' && value !== undefined);
	if (resume !== undefined && chosen) {
		return err(new AppError('usage', `--${chosen[0]} cannot be combined with --resume: a session keeps its settings.`));
	}
	// Without a terminal on stderr nobody would see how to answer.
	const wanted = options.onAsk ?? (world.isWatched ? 'wait' : 'deny');
	const onAsk = ON_ASK.find((known) => known === wanted);
	if (onAsk === undefined) return err(new AppError('usage', `--on-ask takes wait, deny or fail; it was "${wanted}".`));
	const timeoutMs = toMilliseconds(options.timeout);
	if (!timeoutMs.ok) return timeoutMs;
	const maxTurns = toTurns(options.maxTurns);
	if (!maxTurns.ok) return maxTurns;
	const cwd = resolve(world.cwd, options.cwd ?? '');
	return ok({ agent, model, permissionMode, resume, onAsk, timeoutMs: timeoutMs.value, maxTurns: maxTurns.value, cwd });
}

function toMilliseconds(text: string | undefined): Result<number | undefined> {
	if (text === undefined) return ok(undefined);
	const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
	if (seconds > 0 && seconds <= MOST_SECONDS) return ok(Math.ceil(seconds * 1_000));
	return err(new AppError('usage', `--timeout takes seconds, more than 0 and at most ${MOST_SECONDS}; it was "${text}".`));
}

function toTurns(text: string | undefined): Result<number | undefined> {
	if (text === undefined) return ok(undefined);
	const turns = /^\d+$/.test(text) ? Number(text) : 0;
	if (turns > 0 && turns <= MOST_TURNS) return ok(turns);
	return err(new AppError('usage', `--max-turns takes a whole number from 1 to ${MOST_TURNS}; it was "${text}".`));
}

type Input = AsyncIterable<Uint8Array | string> & { isTTY?: boolean };

export async function readPrompt(given: string | undefined, stdin: Input): Promise<Result<string>> {
	if (given === undefined && stdin.isTTY) {
		return err(new AppError('usage', 'Missing prompt. Example: roost run "explain this repository".'));
	}
	const read = given === undefined || given === '-' ? await readAll(stdin) : ok(given);
	if (!read.ok) return read;
	const prompt = read.value.replace(/\s+$/, '');
	if (prompt.trim() === '') return err(new AppError('usage', 'The prompt is empty. Write what the agent should do.'));
	return prompt.length > MOST_PROMPT ? err(tooLong()) : ok(prompt);
}

/** Stops reading at the size limit. */
async function readAll(stdin: Input): Promise<Result<string>> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of stdin) {
			chunks.push(Buffer.from(chunk));
			bytes += chunk.length;
			if (bytes > MOST_BYTES) return err(tooLong());
		}
	} catch (cause) {
		return err(new AppError('usage', 'The prompt could not be read from stdin. Pass it as an argument.', { cause }));
	}
	return ok(Buffer.concat(chunks).toString('utf8'));
}

/** A UTF-16 unit takes at most three bytes. */
const MOST_BYTES = 4 * MOST_PROMPT;

function tooLong(): AppError {
	const most = MOST_PROMPT.toLocaleString('en');
	return new AppError(
		'usage',
		`The prompt is longer than ${most} characters. Write it to a file and name the file in the prompt.`,
	);
}
