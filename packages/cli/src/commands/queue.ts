// roost sessions queue: list the queued prompts of a session; edit, move or cancel one of them.
import type { ApiClient } from '@roost/client/api-client';
import { age } from '@roost/core/display/age';
import { plural } from '@roost/core/display/plural';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { PromptId, SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { unwrap } from '../output/exit.ts';
import { pickOne } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connect } from '../runner/connect.ts';
import { findOnRecord, onSession } from './on-session.ts';

type Options = { json?: boolean };
type QueueOptions = Options & { cancel?: string; edit?: string; move?: string; to?: string };

export async function queue(given: string, words: readonly string[], options: QueueOptions): Promise<void> {
	const change = unwrap(toChange(words, options));
	return change ? await changePrompt(given, change, options) : await list(given, options);
}

type Change =
	| { type: 'cancel'; prompt: string }
	| { type: 'edit'; prompt: string; text: string }
	| { type: 'move'; prompt: string; to: number };

/** Undefined: list the queue. */
function toChange(words: readonly string[], { cancel, edit, move, to }: QueueOptions): Result<Change | undefined> {
	const text = words.join(' ').trim();
	if ([cancel, edit, move].filter((prompt) => prompt !== undefined).length > 1)
		return err(new AppError('usage', 'Use only one of --cancel, --edit and --move.'));
	if (edit === undefined && text !== '') return err(new AppError('usage', 'A text is taken only with --edit <prompt>.'));
	if (move === undefined && to !== undefined) return err(new AppError('usage', '--to is taken only with --move <prompt>.'));
	if (cancel !== undefined) return ok({ type: 'cancel', prompt: cancel });
	if (edit !== undefined) return text === '' ? err(new AppError('usage', NO_TEXT)) : ok({ type: 'edit', prompt: edit, text });
	if (move === undefined) return ok(undefined);
	const place = Number(to ?? 1);
	if (!Number.isSafeInteger(place) || place < 1)
		return err(new AppError('usage', `--to takes a place in the queue, from 1; it was "${to}".`));
	return ok({ type: 'move', prompt: move, to: place - 1 });
}

const NO_TEXT = 'The new text is missing. Run "roost sessions queue <session> --edit <prompt> <text>".';

async function list(given: string, options: Options): Promise<void> {
	const found = unwrap(await findOnRecord(given));
	const { id, prompts = 0 } = found;
	const waiting = unwrap(await askRunner(id, prompts));
	await print(options, waiting, [toList(id, waiting, Date.now())]);
}

/** Does not start a runner; without one only the number of prompts is known. */
async function askRunner(id: SessionId, onRecord: number): Promise<Result<readonly QueuedPrompt[]>> {
	const connected = await connect({ start: false });
	if (!connected.ok) return connected;
	if (connected.value) return await connected.value.api.queue.list({ id });
	if (onRecord === 0) return ok([]);
	const sentence = `${plural(onRecord, 'prompt')} on record, but no runner is up to list the queue: start one with "roost up".`;
	return err(new AppError('not_found', sentence));
}

function toList(id: SessionId, prompts: readonly QueuedPrompt[], now: number): string {
	if (prompts.length === 0) return `No queued prompts for ${id}.`;
	const rows = prompts.map((prompt, at) => [String(at + 1), prompt.id, age(prompt.queuedAt, now), prompt.text]);
	return toTable(['#', 'PROMPT', 'AGE', 'TEXT'], rows);
}

async function changePrompt(given: string, change: Change, options: Options): Promise<void> {
	await onSession(given, options, {
		decides: 'sessions queue',
		async command({ queue }, { id }) {
			const waiting = await queue.list({ id });
			if (!waiting.ok) return waiting;
			const picked = pickOne(waiting.value, change.prompt, (one) => [one.id], `queued prompt of ${id}`);
			if (!picked.ok) return picked;
			const changed = await apply(queue, { id, promptId: picked.value.id }, change);
			return changed.ok ? ok({ sessionId: id, promptId: picked.value.id }) : changed;
		},
		done: ({ promptId }) => DONE[change.type](promptId),
	});
}

function apply(
	queue: ApiClient['queue'],
	prompt: { id: SessionId; promptId: PromptId },
	change: Change,
): Promise<Result<unknown>> {
	const command = { ...prompt, commandId: crypto.randomUUID() };
	switch (change.type) {
		case 'cancel':
			return queue.cancel(command);
		case 'edit':
			return queue.edit({ ...command, text: change.text });
		case 'move':
			return queue.move({ ...command, to: change.to });
		default:
			return assertNever(change);
	}
}

const DONE = {
	cancel: (prompt: PromptId) => `Prompt ${prompt} cancelled.`,
	edit: (prompt: PromptId) => `Prompt ${prompt} changed.`,
	move: (prompt: PromptId) => `Prompt ${prompt} moved.`,
};
