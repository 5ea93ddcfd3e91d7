// What Pi says of a model that failed, as a sentence, and how a turn ended.
import { z } from 'zod';
import type { TurnEnd } from '../live/turns.ts';
import { parseJson } from './parse-json.ts';
import type { PiAnswer } from './records.ts';

/** `429 {"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, as most providers answer. */
const API_ERROR = /^(\d{3}) (\{.*\})$/s;

const body = z.object({ error: z.object({ message: z.string() }) });

export function apiWords(error: string): string {
	const [, status, json = ''] = API_ERROR.exec(error) ?? [];
	const parsed = body.safeParse(parseJson(json));
	if (status === undefined) return asSentence(error === '' ? 'The model failed' : `The model failed: ${error}`);
	return asSentence(`The model answered with an error (${status}): ${parsed.success ? parsed.data.error.message : json}`);
}

/** Stopped while it asked, Pi says that the next call to the model failed. */
export function toTurnEnd(last: PiAnswer | undefined, interrupted: boolean): TurnEnd {
	if (interrupted || last?.stopReason === 'aborted') return { type: 'interrupted' };
	if (last?.stopReason !== 'error') return { type: 'completed', said: last?.text || undefined };
	const error = last.error ?? '';
	return { type: 'failed', error: /^429\b/.test(error) ? 'rate_limit' : 'api_error', why: apiWords(error) };
}

function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
