// Parses one line of `pi --mode rpc`. Pure; unknown records are kept.
import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../base/json-object.ts';
import { parseBounded } from '../hooks/bounded-json.ts';

export type PiRecord =
	| z.infer<(typeof RECORDS)[keyof typeof RECORDS]>
	/** Known, not needed. */
	| typeof IDLE_TALK
	| { type: 'unknown'; name: string; record: JsonObject }
	| { type: 'garbage'; text: string };

type RecordOf<T extends PiRecord['type']> = Extract<PiRecord, { type: T }>;

/** Without options the answer is free text. */
export type PiDialog = RecordOf<'dialog'>['dialog'];
export type PiCall = RecordOf<'tool-begun'>['call'];
/** A whole message of the model, or its error. */
export type PiAnswer = RecordOf<'answer'>['answer'];

export function parseRecord(line: string): PiRecord {
	const record = parseBounded(line);
	if (!isJsonObject(record) || typeof record.type !== 'string') return { type: 'garbage', text: line.slice(0, 200) };
	const { type: name } = record;
	if (NOT_NEEDED.has(name) || SCREEN_WORK.has(record.method)) return IDLE_TALK;
	const schema = isRecordName(name) ? RECORDS[name] : undefined;
	return schema?.safeParse(record).data ?? { type: 'unknown', name, record };
}

const IDLE_TALK = { type: 'idle-talk' as const };

const NOT_NEEDED: ReadonlySet<string> = new Set(
	[
		'agent_start agent_end turn_start tool_execution_update entry_appended session_info_changed thinking_level_changed',
		'auto_retry_end summarization_retry_scheduled summarization_retry_attempt_start summarization_retry_finished',
		'bash_execution_update',
	].flatMap((line) => line.split(' ')),
);

/** Requests for Pi's own terminal. */
const SCREEN_WORK: ReadonlySet<unknown> = new Set(['setWidget', 'setTitle', 'set_editor_text']);

export const YES = 'Yes';
const CONFIRM = [YES, 'No'];

const text = z.string().optional();
const texts = z.array(z.looseObject({ type: z.string(), text })).catch([]);
const reason = z.string().transform((given) => (given === 'manual' ? ('manual' as const) : ('auto' as const)));
const message = z.looseObject({
	role: z.string(),
	content: texts,
	model: z.string().catch('unknown'),
	usage: z.unknown().optional(),
	stopReason: z.string().catch(''),
	errorMessage: text,
});
const delta = z.object({ type: z.literal('text_delta'), contentIndex: z.number(), delta: z.string() });
const asked = { id: z.string(), title: z.string(), timeout: z.number().optional() };

const request = z.discriminatedUnion('method', [
	z
		.object({ method: z.literal('notify'), message: z.string() })
		.transform((given) => ({ type: 'notify' as const, message: given.message })),
	z
		.object({ method: z.literal('setStatus'), statusKey: z.string(), statusText: z.string().default('') })
		.transform(({ statusKey, statusText }) => ({ type: 'status' as const, key: statusKey, text: statusText })),
	z
		.object({ method: z.literal('select'), ...asked, options: z.array(z.string()) })
		.transform((given) => toDialog(given, given.options)),
	z
		.object({ method: z.literal('confirm'), ...asked, message: text })
		.transform((given) => toDialog(given, CONFIRM, given.message)),
	z
		.object({ method: z.literal('input'), ...asked, placeholder: text })
		.transform((given) => toDialog(given, [], given.placeholder)),
	z.object({ method: z.literal('editor'), ...asked, prefill: text }).transform((given) => toDialog(given, [], given.prefill)),
]);

type Asked = { id: string; method: 'select' | 'confirm' | 'input' | 'editor'; title: string; timeout?: number | undefined };

function toDialog({ id, method, title, timeout: timeoutMs }: Asked, options: string[], detail?: string) {
	return { type: 'dialog' as const, dialog: { id, method, title, detail, options, timeoutMs } };
}

/** By the names of Pi. A record of another shape is unknown. */
const RECORDS = {
	response: z
		.object({ id: text, command: z.string(), success: z.boolean(), data: z.unknown().optional(), error: text })
		.transform(({ id, command, success, data, error }) => {
			return { type: 'reply' as const, id, command, failure: success ? undefined : (error ?? 'Pi does not say why.'), data };
		}),
	extension_ui_request: request,
	message_start: z
		.object({ message })
		.transform(({ message: { role } }) => (role === 'assistant' ? { type: 'answer-begun' as const } : IDLE_TALK)),
	message_update: z.object({ assistantMessageEvent: z.looseObject({ type: z.string() }) }).transform((update) => {
		const piece = delta.safeParse(update.assistantMessageEvent).data;
		return piece ? { type: 'said' as const, index: piece.contentIndex, delta: piece.delta } : IDLE_TALK;
	}),
	message_end: z.object({ message }).transform(({ message: said }) => {
		if (said.role !== 'assistant') return IDLE_TALK;
		const { content, model, usage, stopReason, errorMessage: error } = said;
		return { type: 'answer' as const, answer: { text: join(content, '\n\n'), model, usage, stopReason, error } };
	}),
	tool_execution_start: z
		.object({ toolCallId: z.string(), toolName: z.string(), args: z.record(z.string(), z.unknown()).catch({}) })
		.transform(({ toolCallId: id, toolName: name, args: input }) => ({ type: 'tool-begun' as const, call: { id, name, input } })),
	tool_execution_end: z
		.object({ toolCallId: z.string(), result: z.looseObject({ content: texts }), isError: z.boolean() })
		.transform(({ toolCallId: id, result, isError: failed }) => {
			return { type: 'tool-ended' as const, id, text: join(result.content, '\n'), failed };
		}),
	queue_update: z.object({ steering: z.array(z.string()) }).transform(({ steering }) => ({ type: 'queue' as const, steering })),
	auto_retry_start: z
		.object({ attempt: z.number(), maxAttempts: z.number(), delayMs: z.number(), errorMessage: z.string().catch('') })
		.transform(({ attempt, maxAttempts: of, delayMs, errorMessage: error }) => {
			return { type: 'retry' as const, attempt, of, delayMs, error };
		}),
	compaction_start: z.object({ reason }).transform(({ reason: trigger }) => ({ type: 'compacting' as const, trigger })),
	compaction_end: z
		.object({ reason, result: z.looseObject({ summary: text }).optional(), errorMessage: text })
		.transform(({ reason: trigger, result, errorMessage: failure }) => {
			return { type: 'compacted' as const, trigger, summary: result?.summary, failure };
		}),
	extension_error: z
		.object({ error: z.string() })
		.transform(({ error }) => ({ type: 'extension-failed' as const, message: error })),
	turn_end: z.object({}).transform(() => ({ type: 'turn-ended' as const })),
	agent_settled: z.object({}).transform(() => ({ type: 'settled' as const })),
};

function isRecordName(name: string): name is keyof typeof RECORDS {
	return Object.hasOwn(RECORDS, name);
}

function join(content: z.infer<typeof texts>, between: string): string {
	return content.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : [])).join(between);
}
