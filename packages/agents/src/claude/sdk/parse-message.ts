// SDK messages → what Roost reports. Every message is reported unless it is listed here.
import { USAGE_REPORT } from '@roost/core/runtime/event';
import type { HookName, HookPayload } from '@roost/core/runtime/normal-form/hook-payloads';
import { TURN_LIMIT } from '@roost/core/runtime/normal-form/hook-payloads';
import { z } from 'zod';
import { isJsonObject, type JsonObject, stringAt } from '../../base/json-object.ts';
import type { TurnEnd } from '../../live/turns.ts';
import { createMessageText } from './message-text.ts';
import { type CallResult, createToolResults, type ToolNews } from './tool-results.ts';
import { createUsageTracker, type UsedBefore } from './usage-tracker.ts';

export type ParsedMessage =
	| HookReport<'MessageDisplay' | 'PostToolBatch' | 'Notification' | typeof USAGE_REPORT>
	| { type: 'unknown'; name: string; payload: JsonObject }
	/** A turn begins. */
	| { type: 'begun'; model?: string | undefined }
	/** Claude started on the prompt with that id. */
	| { type: 'taken'; uuid: string }
	| { type: 'background'; tasks: readonly unknown[] }
	| { type: 'result'; result: CallResult }
	| { type: 'ended'; end: TurnEnd };

type HookReport<Names extends HookName> = {
	[Name in Names]: { type: 'report'; hookName: Name; payload: HookPayload<Name> };
}[Names];

export function createMessageReader({ usedBefore }: { usedBefore: UsedBefore }) {
	const messages = createMessageText();
	const usage = createUsageTracker(usedBefore);
	const tools = createToolResults();

	function readStream(message: JsonObject): ParsedMessage[] {
		// Messages of subagents come whole.
		if (typeof message.parent_tool_use_id === 'string') return [];
		const finished = tallyStreamed(message.event);
		return [...shown(messages.stream(message.event)), ...(finished ? usageReport() : [])];
	}

	let streaming = { id: '', model: '', usage: {} };
	/** True at the end of a message. The final event may lack fields of the first. */
	function tallyStreamed(raw: unknown): boolean {
		const event = usageEvent.safeParse(raw).data;
		if (!event) return false;
		const { id, model } = event.type === 'message_start' ? event.message : streaming;
		const counts = event.type === 'message_start' ? event.message.usage : { ...streaming.usage, ...withoutNulls(event.usage) };
		streaming = { id, model, usage: counts };
		usage.message(id, model, counts);
		return event.type === 'message_delta';
	}

	function readAssistant(message: JsonObject): ParsedMessage[] {
		const inner = message.message;
		const isSubagents = typeof message.parent_tool_use_id === 'string';
		if (isSubagents && isJsonObject(inner)) {
			usage.message(stringAt(inner, 'id') ?? '', stringAt(inner, 'model') ?? '', inner.usage);
		}
		return [...toReports(tools.called(message)), ...shown(messages.whole(message))];
	}

	function readResult(message: JsonObject): ParsedMessage[] {
		usage.turnEnded(message.modelUsage);
		const end = parseTurnEnd(message);
		const rest = tools.ended({ interrupted: end.type === 'interrupted' });
		return [...toReports(rest), ...shown(messages.breakOff()), ...usageReport(), { type: 'ended', end }];
	}

	let reported = '';
	function usageReport(): ParsedMessage[] {
		const by_model = usage.totals();
		const text = JSON.stringify(by_model);
		if (by_model === null || text === reported || text === '{}') return [];
		reported = text;
		return [{ type: 'report', hookName: USAGE_REPORT, payload: { by_model } }];
	}

	return {
		read(raw: unknown): ParsedMessage[] {
			if (!isJsonObject(raw)) return [unknownMessage('not an object', { value: raw })];
			const kind = [stringAt(raw, 'type'), stringAt(raw, 'subtype')].filter((part) => part !== undefined).join('/');
			if (raw.type === 'result') return readResult(raw);
			if (raw.type === 'stream_event') return readStream(raw);
			if (raw.type === 'assistant') return readAssistant(raw);
			// Other user messages are reported by hooks.
			if (raw.type === 'user') return toReports(tools.returned(raw));
			if (kind === 'system/init') return [{ type: 'begun', model: stringAt(raw, 'model') }];
			if (kind === 'system/background_tasks_changed')
				return [{ type: 'background', tasks: Array.isArray(raw.tasks) ? raw.tasks : [] }];
			if (kind === 'command_lifecycle') return readLifecycle(raw);
			if (kind === 'system/status') return raw.status === 'requesting' ? toReports(tools.goesOn()) : [];
			const notice = toNotice(kind, raw);
			if (notice !== undefined) return notice === null ? [] : [{ type: 'report', hookName: 'Notification', payload: notice }];
			return TOLD_ELSEWHERE.has(kind) ? [] : [unknownMessage(kind, raw)];
		},
		/** The rest of a subagent's calls, at its end. */
		stopped: (agentId: string) => toReports(tools.stopped(agentId)),
	};
}

/** Ignored on purpose. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set([
	// Reported by hooks.
	'system/compact_boundary',
	'system/permission_denied',
	'system/task_started',
	'system/task_updated',
	'system/task_notification',
	'system/elicitation_complete',
	'conversation_reset',
	// About Roost's own hooks.
	'system/hook_started',
	'system/hook_progress',
	'system/hook_response',
	// Progress.
	'system/task_progress',
	'system/thinking_tokens',
	'system/control_request_progress',
	'system/session_state_changed',
	'tool_progress',
	'tool_use_summary',
	'prompt_suggestion',
	'active_goal',
	'keep_alive',
	// Not shown anywhere.
	'system/commands_changed',
	'system/memory_recall',
	'system/files_persisted',
	'system/worker_shutting_down',
]);

const usageFields = z.record(z.string(), z.unknown()).catch({});

const usageEvent = z.discriminatedUnion('type', [
	z.looseObject({
		type: z.literal('message_start'),
		message: z.looseObject({ id: z.string(), model: z.string(), usage: usageFields }),
	}),
	z.looseObject({ type: z.literal('message_delta'), usage: usageFields }),
]);

function withoutNulls(fields: JsonObject): JsonObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

function readLifecycle(message: JsonObject): ParsedMessage[] {
	const uuid = stringAt(message, 'command_uuid');
	return uuid !== undefined && message.state === 'started' ? [{ type: 'taken', uuid }] : [];
}

function shown(pieces: readonly HookPayload<'MessageDisplay'>[]): ParsedMessage[] {
	return pieces.map((payload) => ({ type: 'report', hookName: 'MessageDisplay', payload }));
}

function toReports(news: readonly ToolNews[]): ParsedMessage[] {
	return news.map((one) => (one.type === 'result' ? one : { type: 'report', hookName: 'PostToolBatch', payload: one.payload }));
}

function unknownMessage(kind: string, payload: JsonObject): ParsedMessage {
	return { type: 'unknown', name: `SdkMessage:${kind}`, payload };
}

const result = z.looseObject({
	subtype: z.string().default(''),
	is_error: z.boolean().default(false),
	terminal_reason: z.string().nullish(),
	result: z.string().nullish(),
	errors: z.array(z.string()).nullish(),
});

export function parseTurnEnd(raw: unknown): TurnEnd {
	const parsed = result.safeParse(raw);
	if (!parsed.success)
		return { type: 'failed', error: 'unknown', why: 'Claude ended its turn with a result that Roost cannot read.' };
	const { subtype, is_error, terminal_reason, result: message, errors } = parsed.data;
	if (terminal_reason?.startsWith('aborted')) return { type: 'interrupted' };
	// An API error is a success message with an error flag.
	if (!is_error && !subtype.startsWith('error')) return { type: 'completed', text: message ?? undefined };
	if (subtype === 'error_max_turns')
		return {
			type: 'failed',
			error: TURN_LIMIT,
			why: `Reached the limit of ${turnsIn(errors)} per prompt. Send another prompt to continue.`,
		};
	const error = terminal_reason ?? subtype;
	return { type: 'failed', error, why: errors?.join(' ') || message || `Claude gave up (${error}).` };
}

/** The number is only in the message text. */
function turnsIn(errors: readonly string[] | null | undefined): string {
	const count = /\((\d+)\)/.exec(errors?.[0] ?? '')?.[1];
	return count === undefined ? 'turns' : `${count} ${count === '1' ? 'turn' : 'turns'}`;
}

type Notice = { message: string; notification_type: string };

/** Undefined for other messages, null for a notice without content. */
function toNotice(kind: string, message: JsonObject): Notice | null | undefined {
	const toSentence = NOTICES.get(kind);
	if (!toSentence) return undefined;
	const sentence = toSentence(message);
	return sentence === null ? null : { message: sentence, notification_type: kind.replace('system/', '') };
}

const NOTICES: ReadonlyMap<string, (message: JsonObject) => string | null> = new Map([
	['system/api_retry', (message: JsonObject) => retryWords(apiRetry.parse(message))],
	['rate_limit_event', (message: JsonObject) => limitWords(rateLimit.parse(message).rate_limit_info)],
	['auth_status', (message: JsonObject) => stringAt(message, 'error') ?? null],
	['system/plugin_install', (message: JsonObject) => stringAt(message, 'error') ?? null],
	['system/mirror_error', (message: JsonObject) => stringAt(message, 'error') ?? null],
	['system/informational', says('content')],
	['system/local_command_output', says('content')],
	['system/model_refusal_fallback', says('content')],
	['system/model_refusal_no_fallback', says('content')],
	['system/notification', says('text')],
	['system/session_writes_lost', () => 'Claude could not save its conversation: resuming it may miss the last messages.'],
]);

function says(field: string): (message: JsonObject) => string | null {
	return (message) => stringAt(message, field) ?? null;
}

const apiRetry = z
	.object({
		attempt: z.number().catch(1),
		max_retries: z.number().catch(1),
		retry_delay_ms: z.number().catch(0),
		error_status: z.number().nullable().catch(null),
		error: z.string().catch('unknown'),
	})
	.loose();

function retryWords({ attempt, max_retries, retry_delay_ms, error_status, error }: z.infer<typeof apiRetry>): string {
	const what =
		error_status === null ? 'The model could not be reached' : `The model answered with an error (${error_status}, ${error})`;
	return `${what}: trying again in ${Math.ceil(retry_delay_ms / 1000)} s (${attempt} of ${max_retries}).`;
}

const rateLimit = z
	.object({
		rate_limit_info: z
			.object({
				status: z.string().catch('allowed'),
				resetsAt: z.number().optional().catch(undefined),
				rateLimitType: z.string().optional().catch(undefined),
				utilization: z.number().optional().catch(undefined),
			})
			.loose()
			.catch({ status: 'allowed' }),
	})
	.loose();

function limitWords({ status, resetsAt, rateLimitType }: z.infer<typeof rateLimit>['rate_limit_info']): string | null {
	if (status === 'allowed') return null;
	const which = rateLimitType === undefined ? 'The usage limit' : `The usage limit (${rateLimitType.replaceAll('_', ' ')})`;
	const until = resetsAt === undefined ? '' : ` until ${new Date(resetsAt * 1000).toISOString()}`;
	return status === 'rejected' ? `${which} is reached${until}.` : `${which} is nearly reached.`;
}
