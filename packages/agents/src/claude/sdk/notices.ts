// SDK messages that become notifications: API errors, limits, and Claude's own notices.
import { z } from 'zod';
import { type JsonObject, stringAt } from '../../base/json-object.ts';

type Notice = { message: string; notification_type: string };

/** Undefined for other messages, null for a notice without content. */
export function toNotice(kind: string, message: JsonObject): Notice | null | undefined {
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
