// roost sessions queue: the prompts that wait for a session's agent, and one of them taken back.
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { connect } from '../connect.ts';
import { fail } from '../output/exit.ts';
import { pickOne } from '../output/pick-one.ts';
import { age, toTable } from '../output/table.ts';
import { write } from '../output/write.ts';
import { plural } from '../tui/parts/amounts.ts';
import { findOnRecord, onSession } from './on-session.ts';

type Options = { json?: boolean };

export async function queue(given: string, options: Options & { cancel?: string }): Promise<void> {
	return options.cancel === undefined ? await list(given, options) : await cancel(given, options.cancel, options);
}

async function list(given: string, options: Options): Promise<void> {
	const found = await findOnRecord(given);
	if (!found.ok) return fail(found.error, options);
	const { id, prompts = 0 } = found.value;
	const waiting = await askRunner(id, prompts);
	if (!waiting.ok) return fail(waiting.error, options);
	await write(process.stdout, [options.json ? JSON.stringify(waiting.value) : toList(id, waiting.value, Date.now())]);
}

/** Looking is no reason to start a runner; without one only their number is known. */
async function askRunner(id: SessionId, onRecord: number): Promise<Result<QueuedPrompt[]>> {
	const connected = await connect({ start: false });
	if (!connected.ok) return connected;
	if (connected.value) return await connected.value.api.prompts.list(id);
	if (onRecord === 0) return ok([]);
	const sentence = `${plural(onRecord, 'prompt')} on record, and no runner is up to show what waits: start one with "roost up".`;
	return err(new AppError('not_found', sentence));
}

function toList(id: SessionId, prompts: readonly QueuedPrompt[], now: number): string {
	if (prompts.length === 0) return `Nothing waits for ${id}.`;
	const rows = prompts.map((prompt) => [prompt.id, age(prompt.queuedAt, now), prompt.text]);
	return toTable(['PROMPT', 'AGE', 'TEXT'], rows);
}

async function cancel(given: string, prompt: string, options: Options): Promise<void> {
	await onSession(given, options, {
		decides: 'sessions queue',
		async command({ prompts }, { id }) {
			const waiting = await prompts.list(id);
			if (!waiting.ok) return waiting;
			const picked = pickOne(waiting.value, prompt, (one) => [one.id], `prompt that waits for ${id}`);
			if (!picked.ok) return picked;
			const cancelled = await prompts.cancel(crypto.randomUUID(), id, picked.value.id);
			return cancelled.ok ? ok({ sessionId: id, promptId: picked.value.id }) : cancelled;
		},
		done: ({ promptId }, { id }) => `Prompt ${promptId} is taken back: the agent of ${id} does not get it.`,
	});
}
