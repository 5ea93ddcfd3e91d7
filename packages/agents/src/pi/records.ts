// Parses one line of `pi --mode rpc`. Pure; unknown records are kept.
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';

export type PiRecord =
	| { type: 'reply'; id: string | undefined; command: string; failure: string | undefined; data: unknown }
	| { type: 'dialog'; dialog: PiDialog }
	| { type: 'status'; key: string; text: string }
	| { type: 'notify'; message: string }
	| { type: 'said'; index: number; delta: string }
	| { type: 'answer-begun' }
	| { type: 'answer'; answer: PiAnswer }
	| { type: 'tool-begun'; call: PiCall }
	| { type: 'tool-ended'; id: string; text: string; failed: boolean }
	| { type: 'queue'; steering: string[] }
	| { type: 'retry'; attempt: number; of: number; delayMs: number; error: string }
	| { type: 'compacting'; trigger: 'manual' | 'auto' }
	| { type: 'compacted'; trigger: 'manual' | 'auto'; summary: string | undefined; failure: string | undefined }
	| { type: 'extension-failed'; message: string }
	| { type: 'turn-ended' }
	| { type: 'settled' }
	/** Known, not needed. */
	| { type: 'idle-talk' }
	| { type: 'unknown'; name: string; record: JsonObject }
	| { type: 'garbage'; text: string };

/** Without options the answer is free text. */
export type PiDialog = {
	id: string;
	method: 'select' | 'confirm' | 'input' | 'editor';
	title: string;
	detail: string | undefined;
	options: string[];
	timeoutMs: number | undefined;
};

export type PiCall = { id: string; name: string; input: JsonObject };

/** A whole message of the model, or its error. */
export type PiAnswer = { text: string; model: string; usage: unknown; stopReason: string; error: string | undefined };

export function parseRecord(line: string): PiRecord {
	const record = parseBounded(line);
	if (!isJsonObject(record) || typeof record.type !== 'string') return { type: 'garbage', text: line.slice(0, 200) };
	if (IDLE_TALK.has(record.type)) return { type: 'idle-talk' };
	const read = READERS.get(record.type);
	return read?.(record) ?? { type: 'unknown', name: record.type, record };
}

const IDLE_TALK: ReadonlySet<string> = new Set(
	[
		'agent_start agent_end turn_start tool_execution_update entry_appended session_info_changed',
		'thinking_level_changed auto_retry_end summarization_retry_scheduled summarization_retry_attempt_start',
		'summarization_retry_finished bash_execution_update',
	].flatMap((line) => line.split(' ')),
);

/** Undefined for an unexpected shape. */
type Reader = (record: JsonObject) => PiRecord | undefined;

function reader<S extends z.ZodType>(shape: S, read: (parsed: z.infer<S>) => PiRecord): Reader {
	return (record) => {
		const parsed = shape.safeParse(record);
		return parsed.success ? read(parsed.data) : undefined;
	};
}

const reply = z.object({
	id: z.string().optional(),
	command: z.string(),
	success: z.boolean(),
	data: z.unknown().optional(),
	error: z.string().optional(),
});
const texts = z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).catch([]);
const message = z.looseObject({
	role: z.string(),
	content: texts,
	model: z.string().catch('unknown'),
	usage: z.unknown().optional(),
	stopReason: z.string().catch(''),
	errorMessage: z.string().optional(),
});
const update = z.object({ assistantMessageEvent: z.looseObject({ type: z.string() }) });
const delta = z.object({ contentIndex: z.number(), delta: z.string() });
const call = z.object({ toolCallId: z.string(), toolName: z.string(), args: z.record(z.string(), z.unknown()).catch({}) });
const result = z.object({ toolCallId: z.string(), result: z.looseObject({ content: texts }), isError: z.boolean() });
const retry = z.object({ attempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), errorMessage: z.string().catch('') });
const reason = z.string().transform((text) => (text === 'manual' ? ('manual' as const) : ('auto' as const)));
const compaction = z.object({
	reason,
	result: z.looseObject({ summary: z.string().optional() }).optional(),
	errorMessage: z.string().optional(),
});

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
	['response', reader(reply, readReply)],
	['extension_ui_request', readRequest],
	[
		'message_start',
		reader(z.object({ message }), ({ message: { role } }) => ({ type: role === 'assistant' ? 'answer-begun' : 'idle-talk' })),
	],
	['message_update', reader(update, readUpdate)],
	['message_end', reader(z.object({ message }), readMessage)],
	[
		'tool_execution_start',
		reader(call, ({ toolCallId: id, toolName: name, args }) => ({ type: 'tool-begun', call: { id, name, input: args } })),
	],
	[
		'tool_execution_end',
		reader(result, ({ toolCallId: id, result: { content }, isError }) => ({
			type: 'tool-ended',
			id,
			text: join(content, '\n'),
			failed: isError,
		})),
	],
	['queue_update', reader(z.object({ steering: z.array(z.string()) }), ({ steering }) => ({ type: 'queue', steering }))],
	[
		'auto_retry_start',
		reader(retry, ({ attempt, maxAttempts: of, delayMs, errorMessage: error }) => ({
			type: 'retry',
			attempt,
			of,
			delayMs,
			error,
		})),
	],
	['compaction_start', reader(z.object({ reason }), ({ reason: trigger }) => ({ type: 'compacting', trigger }))],
	[
		'compaction_end',
		reader(compaction, ({ reason: trigger, result: made, errorMessage: failure }) => ({
			type: 'compacted',
			trigger,
			summary: made?.summary,
			failure,
		})),
	],
	['extension_error', reader(z.object({ error: z.string() }), ({ error }) => ({ type: 'extension-failed', message: error }))],
	['turn_end', () => ({ type: 'turn-ended' })],
	['agent_settled', () => ({ type: 'settled' })],
]);

function readReply({ id, command, success, data, error }: z.infer<typeof reply>): PiRecord {
	return { type: 'reply', id, command, failure: success ? undefined : (error ?? 'Pi does not say why.'), data };
}

function readUpdate({ assistantMessageEvent: event }: z.infer<typeof update>): PiRecord {
	const piece = event.type === 'text_delta' ? delta.safeParse(event) : undefined;
	return piece?.success ? { type: 'said', index: piece.data.contentIndex, delta: piece.data.delta } : { type: 'idle-talk' };
}

function readMessage({ message: said }: { message: z.infer<typeof message> }): PiRecord {
	if (said.role !== 'assistant') return { type: 'idle-talk' };
	const { content, model, usage, stopReason, errorMessage: error } = said;
	return { type: 'answer', answer: { text: join(content, '\n\n'), model, usage, stopReason, error } };
}

function join(content: z.infer<typeof texts>, between: string): string {
	return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join(between);
}

const request = z.discriminatedUnion('method', [
	z.object({
		method: z.literal('select'),
		id: z.string(),
		title: z.string(),
		options: z.array(z.string()),
		timeout: z.number().optional(),
	}),
	z.object({
		method: z.literal('confirm'),
		id: z.string(),
		title: z.string(),
		message: z.string().optional(),
		timeout: z.number().optional(),
	}),
	z.object({
		method: z.literal('input'),
		id: z.string(),
		title: z.string(),
		placeholder: z.string().optional(),
		timeout: z.number().optional(),
	}),
	z.object({ method: z.literal('editor'), id: z.string(), title: z.string(), prefill: z.string().optional() }),
	z.object({ method: z.literal('notify'), message: z.string() }),
	z.object({ method: z.literal('setStatus'), statusKey: z.string(), statusText: z.string().optional() }),
]);

/** For Pi's own terminal. */
const SCREEN_WORK: ReadonlySet<unknown> = new Set(['setWidget', 'setTitle', 'set_editor_text']);

function readRequest(record: JsonObject): PiRecord | undefined {
	if (SCREEN_WORK.has(record.method)) return { type: 'idle-talk' };
	const parsed = request.safeParse(record);
	if (!parsed.success) return undefined;
	const asked = parsed.data;
	switch (asked.method) {
		case 'notify':
			return { type: 'notify', message: asked.message };
		case 'setStatus':
			return { type: 'status', key: asked.statusKey, text: asked.statusText ?? '' };
		case 'select':
			return toDialog({ ...asked, detail: undefined });
		case 'confirm':
			return toDialog({ ...asked, detail: asked.message, options: CONFIRM });
		case 'input':
			return toDialog({ ...asked, detail: asked.placeholder, options: [] });
		case 'editor':
			return toDialog({ ...asked, detail: asked.prefill, options: [] });
	}
}

export const YES = 'Yes';
const CONFIRM = [YES, 'No'];

function toDialog(asked: Omit<PiDialog, 'timeoutMs'> & { timeout?: number | undefined }): PiRecord {
	const { id, method, title, detail, options, timeout: timeoutMs } = asked;
	return { type: 'dialog', dialog: { id, method, title, detail, options, timeoutMs } };
}
