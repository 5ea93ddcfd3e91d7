// roost sessions send, interrupt, end, fork, set, mode, rename, archive.
import type { ApiClient } from '@roost/client/api-client';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { MOST_PROMPT, messageBody, type PromptTaken, renameBody } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { driveMode } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { readStream } from '../record/reader.ts';
import { onSession, readOnRecord } from './on-session.ts';

type Options = { json?: boolean };

export async function sendPrompt(given: string, words: readonly string[], options: Options & { now?: boolean }): Promise<void> {
	const text = messageBody.shape.text.safeParse(words.join(' ').trim());
	if (!text.success) throw new AppError('usage', `A prompt must have some text, and at most ${MOST_PROMPT} characters.`);
	await onSession(given, options, {
		decides: 'sessions send',
		command: (api, { id }) => send(api, id, text.data, options.now === true),
		done: ({ queued, isInRun }, { id }) => {
			if (queued) return `The agent of ${id} is busy. Queued as prompt ${queued.id}: ${seeQueue(id)}.`;
			return isInRun ? `Sent into the current run of ${id}.` : `Sent to ${id}: "${calledAs()} feed ${id} --follow" follows it.`;
		},
	});
}

type Sent = PromptTaken & { sessionId: SessionId; isInRun: boolean };

/** With `now`, into the current run. */
async function send(
	{ sessions, queue }: Pick<ApiClient, 'sessions' | 'queue'>,
	id: SessionId,
	text: string,
	now: boolean,
): Promise<Result<Sent>> {
	const taken = await sessions.message({ commandId: crypto.randomUUID(), id, text });
	if (!taken.ok) return taken;
	const { promptId, queued } = taken.value;
	if (!now || !queued) return ok({ sessionId: id, promptId, queued, isInRun: false });
	const moved = await queue.sendNow({ commandId: crypto.randomUUID(), id, promptId });
	return moved.ok ? ok({ sessionId: id, promptId, queued: null, isInRun: true }) : moved;
}

function seeQueue(id: SessionId): string {
	return `"${calledAs()} sessions queue ${id}" lists the queue`;
}

export async function interruptSession(given: string, options: Options): Promise<void> {
	await onSession(given, options, {
		decides: 'sessions interrupt',
		command: ({ sessions }, { id }) => sessions.interrupt({ commandId: crypto.randomUUID(), id }),
		done: ({ sessionId: id }) => `${id} was interrupted: ${write(id)}.`,
	});
}

export async function endSession(given: string, options: Options): Promise<void> {
	await onSession(given, options, {
		decides: 'sessions end',
		command: ({ sessions }, { id }) => sessions.end({ commandId: crypto.randomUUID(), id }),
		done: ({ sessionId: id }) => `${id} has ended.`,
	});
}

export async function forkSession(given: string, options: Options & { at?: string }): Promise<void> {
	const upTo = options.at === undefined ? undefined : unwrap(await findMessage(given, options.at));
	await onSession(given, options, {
		decides: 'sessions fork',
		command: ({ sessions }, { id }) => sessions.fork({ commandId: crypto.randomUUID(), id, upTo }),
		done: ({ sessionId: copy }, { id }) => `${copy} forked from ${id}: ${write(copy)}.`,
	});
}

export async function adjustSession(
	given: string,
	options: Options & { model?: string; permissionMode?: string },
): Promise<void> {
	const { model, permissionMode } = options;
	if (model === undefined && permissionMode === undefined)
		throw new AppError('usage', 'Nothing to change. Give --model, --permission-mode or both.');
	await onSession(given, options, {
		decides: 'sessions set',
		command: ({ settings }, { id }) => settings.change({ commandId: crypto.randomUUID(), id, model, permissionMode }),
		done: ({ sessionId: id }) =>
			[model && `Model of ${id} set to ${model}.`, permissionMode && `Permission mode of ${id} set to ${permissionMode}.`]
				.filter((line) => line)
				.join('\n'),
	});
}

export async function switchMode(given: string, wanted: string, options: Options & { record?: boolean }): Promise<void> {
	const mode = driveMode.safeParse(wanted);
	if (!mode.success)
		throw new AppError('usage', `Mode must be sdk (driven by Roost) or pty (in a terminal); it was "${wanted}".`);
	await onSession(given, options, {
		decides: 'sessions mode',
		command: ({ settings }, { id }) =>
			settings.switchMode({ commandId: crypto.randomUUID(), id, mode: mode.data, recording: options.record }),
		done: ({ sessionId: id }) =>
			mode.data === 'pty'
				? `${id} is in a terminal: "${calledAs()} attach ${id}" shows it.`
				: `${id} is driven by Roost: ${write(id)}.`,
	});
}

function write(id: SessionId): string {
	return `write to it with "${calledAs()} sessions send ${id} <prompt>"`;
}

/** The native ID of a message. */
async function findMessage(session: string, given: string): Promise<Result<string>> {
	return await readOnRecord(session, async (record, { id }) => {
		for await (const page of readStream(record, id, 0)) {
			if (!page.ok) return page;
			for (const { offset, line } of page.value) {
				const nativeId = nativeIdOf(line);
				if (nativeId !== undefined && (nativeId === given || String(offset) === given)) return ok(nativeId);
			}
		}
		const listed = `"${calledAs()} feed ${id} --kind agent.message --json" has the offset and the native_id of each`;
		return err(new AppError('not_found', `Message "${given}" not found: ${listed}.`));
	});
}

/** Undefined if the line is no agent message, or has no native ID. */
function nativeIdOf(line: string): string | undefined {
	if (!line.includes('"agent.message"')) return undefined;
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'agent.message' ? event.data.native_id : undefined;
}

export async function renameSession(given: string, words: readonly string[], options: Options): Promise<void> {
	const title = renameBody.shape.title.safeParse(words.join(' ').trim());
	if (!title.success) throw new AppError('usage', 'A title must have 1 to 200 characters.');
	await onSession(given, options, {
		command: ({ sessions }, { id }) => sessions.rename({ commandId: crypto.randomUUID(), id, title: title.data }),
		done: ({ sessionId: id }) => `${id} is now called "${sanitiseLine(title.data)}".`,
	});
}

export async function archiveSession(given: string, options: Options & { undo?: boolean }): Promise<void> {
	const archived = options.undo !== true;
	await onSession(given, options, {
		command: ({ sessions }, { id }) => sessions.archive({ commandId: crypto.randomUUID(), id, archived }),
		done: ({ sessionId: id }) =>
			archived ? `${id} archived. Restore it with "${calledAs()} sessions archive ${id} --undo".` : `${id} restored.`,
	});
}
