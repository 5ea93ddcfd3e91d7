// The output of a run: the final response on stdout and progress on stderr, or the stored lines on stdout.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { ok, type Result } from '@roost/protocol/result';
import { styleFor, toFeedLine } from '../../output/feed-line.ts';
import { openLinePrinter } from '../print-lines.ts';
import type { BegunRun } from './begin-run.ts';

export type RunOutput = AsyncDisposable & {
	say(sentence: string): void;
	/** Like `say`, but only progress: silent with --quiet. */
	note(sentence: string): void;
	print(line: string): void;
	/** Stays below all other lines until it is replaced; an empty one removes it. */
	prompt(question: string): void;
	/** Nothing is written until the result is disposed. */
	hold(): Disposable;
	show(event: FeedEvent): void;
	/** `text`: the final response, if the agent finished. */
	finish(text: string | undefined): Promise<Result<void>>;
};

type Verbosity = { json?: boolean | undefined; quiet?: boolean | undefined };

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

export async function openRunOutput(begun: BegunRun, how: Verbosity, streams: Streams): Promise<Result<RunOutput>> {
	if (!how.json) return ok(textOutput(streams, how.quiet === true));
	const printer = await openLinePrinter(begun.sessionId, begun.after, streams.stdout);
	if (!printer.ok) return printer;
	const { more, finish } = printer.value;
	return ok({ ...SILENT, show: more, finish, [Symbol.asyncDispose]: () => printer.value[Symbol.asyncDispose]() });
}

const SILENT = { say: () => {}, note: () => {}, print: () => {}, prompt: () => {}, hold: () => ({ [Symbol.dispose]: () => {} }) };

function textOutput({ stdout, stderr, env }: Streams, quiet: boolean): RunOutput {
	const style = styleFor(stderr, env);
	const isWorthShowing = createProgressFilter();
	let question = '';
	let held: string[] | undefined;

	function print(line: string): void {
		if (held) held.push(line);
		else stderr.write(question === '' ? `${line}\n` : `${CLEAR_LINE}${line}\n${question}`);
	}

	const say = (sentence: string) => print(`roost: ${sanitiseLine(sentence)}`);
	return {
		say,
		note: quiet ? () => {} : say,
		print,
		prompt(next) {
			if (next === question) return;
			stderr.write(`${question === '' ? '' : CLEAR_LINE}${next}`);
			question = next;
		},
		hold() {
			held = [];
			return {
				[Symbol.dispose]() {
					const lines = held ?? [];
					held = undefined;
					lines.forEach(print);
				},
			};
		},
		show(event) {
			if (!quiet && isWorthShowing(event)) print(toFeedLine(event, style));
		},
		async finish(text = '') {
			// Programs get the text as it is; terminals get no control sequences.
			if (text !== '') stdout.write(`${stdout.isTTY ? sanitiseBlock(text) : text}\n`);
			return ok(undefined);
		},
		async [Symbol.asyncDispose]() {},
	};
}

const CLEAR_LINE = '\r\x1b[K';

/** The response is printed at the end, and the outcome is the last line. */
const NOT_PROGRESS = /^(agent\.message|user\.prompt|run\.|session\.|stop\.|usage\.)/;

/** Retries start at one per second. */
const RETRY_MS = 10_000;

/** Selects progress events: tool calls, and retries of the model at a limited rate. */
export function createProgressFilter(): (event: FeedEvent) => boolean {
	let lastRetry = Number.NEGATIVE_INFINITY;

	return (event) => {
		if (shouldExclude(event) || NOT_PROGRESS.test(event.kind)) return false;
		if (event.kind !== 'notification' || event.data.notification_type !== 'api_retry') return true;
		if (event.ts - lastRetry < RETRY_MS) return false;
		lastRetry = event.ts;
		return true;
	};
}
