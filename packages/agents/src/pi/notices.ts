// Notifications of a running Pi: model errors, compaction, unreadable lines.

import { z } from 'zod';
import { parseBounded } from '../hooks/bounded-json.ts';
import type { EventReporter } from '../live/event-reporter.ts';
import type { TurnEnd } from '../live/turns.ts';
import type { PiAnswer, PiRecord } from './records.ts';

/** Limits reports about unknown lines. */
const MAX_STRANGE = 10;

export function createNotices(reporter: Pick<EventReporter, 'report' | 'relay' | 'fail'>): { hear(record: PiRecord): void } {
	let strange = 0;

	function note(message: string, notification_type: string): void {
		reporter.report('Notification', { message, notification_type });
	}

	function isWorthTelling(): boolean {
		strange += 1;
		return strange <= MAX_STRANGE;
	}

	return {
		hear(record) {
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
export function toTurnEnd(last: PiAnswer | undefined, interrupted: boolean): TurnEnd {
	if (interrupted || last?.stopReason === 'aborted') return { type: 'interrupted' };
	if (last?.stopReason !== 'error') return { type: 'completed', said: last?.text || undefined };
	const error = last.error ?? '';
	return { type: 'failed', error: /^429\b/.test(error) ? 'rate_limit' : 'api_error', why: toApiError(error) };
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
