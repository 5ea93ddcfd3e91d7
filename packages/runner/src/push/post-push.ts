// One push over HTTP (RFC 8030): no redirect is followed, and no more of the reply is read than its status.
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';

export type Posted =
	| { type: 'accepted' }
	/** The browser has no such subscription any more. */
	| { type: 'gone' }
	| { type: 'refused'; why: string }
	/** May be accepted later. */
	| { type: 'busy'; why: string; afterMs: number | undefined };

export type PushRequest = { endpoint: string; authorization: string; body: Buffer; ttlSeconds: number; signal: AbortSignal };

const TIMEOUT_MS = 10_000;

export function postPush({ endpoint, authorization, body, ttlSeconds, signal }: PushRequest): Promise<Posted> {
	const headers = {
		authorization,
		'content-encoding': 'aes128gcm',
		'content-type': 'application/octet-stream',
		'content-length': body.length,
		ttl: String(ttlSeconds),
		urgency: 'high',
		// Of several that wait for a browser, the service delivers only the last.
		topic: 'asks',
	};
	const { promise, resolve } = Promise.withResolvers<Posted>();
	const send = endpoint.startsWith('https:') ? request : requestPlain;
	const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
	const sent = send(endpoint, { method: 'POST', headers, agent: false, signal: limited });
	sent.on('response', (response) => {
		response.destroy();
		resolve(toPosted(response.statusCode ?? 0, response.headers['retry-after']));
	});
	sent.on('error', ({ message }) => resolve({ type: 'busy', why: message, afterMs: undefined }));
	sent.end(body);
	return promise;
}

export function toPosted(status: number, retryAfter: string | undefined): Posted {
	if (status >= 200 && status < 300) return { type: 'accepted' };
	if (status === 404 || status === 410) return { type: 'gone' };
	const why = `it answered with ${status}`;
	if (status !== 429 && status < 500) return { type: 'refused', why };
	return { type: 'busy', why, afterMs: /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : undefined };
}
