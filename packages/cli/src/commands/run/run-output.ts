// Where a run is shown: the agent's last words on standard output and what goes on on standard error, or the stored lines and nothing else.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { shouldExclude } from '@roost/core/feed/filter';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { ok, type Result } from '@roost/protocol/result';
import { styleFor, toFeedLine } from '../../output/feed-line.ts';
import { openLinePrinter } from '../../output/print-lines.ts';
import type { BegunRun } from './begin-run.ts';

export type RunOutput = AsyncDisposable & {
	say(sentence: string): void;
	/** One more fact is on record. */
	show(event: FeedEvent): void;
	/** The run is over; `text` is what the agent said last, where it is done. */
	finish(text: string | undefined): Promise<Result<void>>;
};

type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

export async function openRunOutput(begun: BegunRun, json: boolean, streams: Streams): Promise<Result<RunOutput>> {
	if (!json) return ok(textOutput(streams));
	const printer = await openLinePrinter(begun.sessionId, begun.after, streams.stdout);
	if (!printer.ok) return printer;
	const { more, finish } = printer.value;
	return ok({ say: () => {}, show: more, finish, [Symbol.asyncDispose]: () => printer.value[Symbol.asyncDispose]() });
}

function textOutput({ stdout, stderr, env }: Streams): RunOutput {
	const style = styleFor(stderr, env);
	return {
		say: (sentence) => void stderr.write(`roost: ${sanitiseLine(sentence)}\n`),
		show(event) {
			if (stderr.isTTY && isProgress(event)) stderr.write(`${toFeedLine(event, style)}\n`);
		},
		async finish(text = '') {
			// A program gets the words as they are; a screen gets what cannot move its cursor.
			if (text !== '') stdout.write(`${stdout.isTTY ? sanitiseBlock(text) : text}\n`);
			return ok(undefined);
		},
		async [Symbol.asyncDispose]() {},
	};
}

/** Its own words come at the end, and how it ended is the last line. */
const NOT_PROGRESS = /^(agent\.message|user\.prompt|run\.|session\.|stop\.)/;

function isProgress(event: FeedEvent): boolean {
	return !shouldExclude(event) && !NOT_PROGRESS.test(event.kind);
}
