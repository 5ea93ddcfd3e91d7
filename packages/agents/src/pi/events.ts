// Events of a running Pi in the normal form: messages, calls and results, usage, notifications.
import { USAGE_REPORT } from '@roost/core/runtime/event';
import { z } from 'zod';
import { parseBounded } from '../hooks/bounded-json.ts';
import type { EventReporter } from '../live/event-reporter.ts';
import type { LiveContext } from '../live/live-agent.ts';
import type { OpenCall, TurnEnd } from '../live/turns.ts';
import { asSentence } from './pi-wire.ts';
import type { PiAnswer, PiCall, PiRecord } from './records.ts';
import type { SessionUsage } from './session-files.ts';
import { type Place, toNormalCall } from './tools.ts';

export type PiEvents = ReturnType<typeof createPiEvents>;

export function createPiEvents(deps: {
	live: Pick<LiveContext, 'reporter' | 'calls' | 'messages' | 'newId'>;
	place: Place;
	usage: SessionUsage;
	/** A call bypassed the gate. */
	breach: (tool: string) => void;
}) {
	const { reporter, calls, messages, newId } = deps.live;
	const notices = createNotices(reporter);
	const begun = new Map<string, PiCall>();
	let current = newMessage(newId());
	let held: { id: string; text: string } | undefined;
	let last: PiAnswer | undefined;

	function answered(entryId: string | undefined): void {
		if (held) messages.finish(held.id, held.text, entryId);
		held = undefined;
	}

	function receivePiece(index: number, delta: string): void {
		const gap = current.hasText && index !== current.index ? '\n\n' : '';
		current = { ...current, index, hasText: true };
		messages.add(current.id, `${gap}${delta}`);
	}

	function receiveAnswer(answer: PiAnswer): void {
		last = answer;
		// Its id follows: Pi stores a message after it has reported it.
		if (answer.text !== '') held = { id: current.id, text: answer.text };
		deps.usage.add(answer.model, answer.usage);
		reporter.report(USAGE_REPORT, { by_model: deps.usage.totals() });
	}

	function toPayload(call: PiCall): OpenCall {
		return { tool_use_id: call.id, ...toNormalCall(call, deps.place), native_tool_name: call.name };
	}

	function receiveToolEnd(id: string, text: string, failed: boolean): void {
		const native = begun.get(id) ?? { id, name: 'unknown', input: {} };
		begun.delete(id);
		const announced = calls.find(id);
		if (!announced && !failed) {
			deps.breach(native.name);
			return;
		}
		const payload = announced ?? toPayload(native);
		// Pi rejects invalid calls by itself.
		if (!announced) reporter.report('PreToolUse', payload);
		if (failed) reporter.report('PostToolUseFailure', { ...payload, error: text || 'The tool failed.' });
		else reporter.report('PostToolUse', { ...payload, tool_response: text });
		calls.observe('PostToolUse', payload);
	}

	return {
		receive(record: PiRecord) {
			switch (record.type) {
				case 'answer-begun':
					answered(undefined);
					current = newMessage(newId());
					return;
				case 'said':
					return receivePiece(record.index, record.delta);
				case 'answer':
					return receiveAnswer(record.answer);
				case 'tool-begun':
					return void begun.set(record.call.id, record.call);
				case 'tool-ended':
					return receiveToolEnd(record.id, record.text, record.failed);
				case 'turn-ended':
					return answered(undefined);
				default:
					return notices.receive(record);
			}
		},
		/** Ends the message before, with its id if known. */
		answered,
		/** A prompt was sent. */
		begin(): void {
			last = undefined;
			begun.clear();
		},
		end: (interrupted: boolean) => toTurnEnd(last, interrupted),
	};
}

function newMessage(id: string): { id: string; index: number; hasText: boolean } {
	return { id, index: 0, hasText: false };
}

/** Limits reports about unknown lines. */
const MAX_STRANGE = 10;

function createNotices(reporter: Pick<EventReporter, 'report' | 'relay' | 'fail'>): { receive(record: PiRecord): void } {
	let strange = 0;

	function note(message: string, notification_type: string): void {
		reporter.report('Notification', { message, notification_type });
	}

	function isWorthTelling(): boolean {
		strange += 1;
		return strange <= MAX_STRANGE;
	}

	return {
		receive(record) {
			switch (record.type) {
				case 'retry':
					return note(retryWords(record), 'api_retry');
				case 'notify':
					return note(record.message, 'pi');
				case 'compacting':
					return reporter.report('PreCompact', { trigger: record.trigger });
				case 'compacted':
					if (record.failure !== undefined) return note(`Pi could not shorten the conversation: ${record.failure}`, 'compaction');
					return reporter.report('PostCompact', { trigger: record.trigger, compact_summary: record.summary });
				case 'extension-failed':
					return reporter.fail({ code: 'agent_output', message: `An extension of Pi failed: ${record.message}` });
				case 'unknown':
					if (isWorthTelling()) reporter.relay(record.name, record.record);
					return;
				case 'garbage':
					if (isWorthTelling()) reporter.fail({ ...UNREADABLE, detail: record.text });
					return;
				default:
					return;
			}
		},
	};
}

const UNREADABLE = { code: 'agent_output', message: 'Pi wrote a line that Roost cannot read.' };

function retryWords({ error, delayMs, attempt, of }: Extract<PiRecord, { type: 'retry' }>): string {
	return `${toApiError(error)} Trying again in ${Math.ceil(delayMs / 1000)} s (${attempt} of ${of}).`;
}

/** `429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, as most providers answer. */
const API_ERROR = /^(\d{3}) (\{.*\})$/s;

const body = z.object({ error: z.object({ message: z.string() }) });

function toApiError(error: string): string {
	const [, status, json = ''] = API_ERROR.exec(error) ?? [];
	const parsed = body.safeParse(parseBounded(json));
	if (status === undefined) return asSentence(error === '' ? 'The model failed' : `The model failed: ${error}`);
	return asSentence(`The model answered with an error (${status}): ${parsed.success ? parsed.data.error.message : json}`);
}

/** When stopped during a request, Pi reports the next model call as failed. */
function toTurnEnd(last: PiAnswer | undefined, interrupted: boolean): TurnEnd {
	if (interrupted || last?.stopReason === 'aborted') return { type: 'interrupted' };
	if (last?.stopReason !== 'error') return { type: 'completed', text: last?.text || undefined };
	const error = last.error ?? '';
	return { type: 'failed', error: /^429\b/.test(error) ? 'rate_limit' : 'api_error', why: toApiError(error) };
}
