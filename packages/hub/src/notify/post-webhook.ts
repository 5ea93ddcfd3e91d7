// One POST to a webhook: no redirect is followed, and no more of the reply is read than its status.
import { request as requestPlain } from 'node:http';
import { request } from 'node:https';

export type Posted =
	| { type: 'accepted' }
	| { type: 'refused'; why: string }
	/** May be accepted later. */
	| { type: 'busy'; why: string; afterMs: number | undefined };

export type PostWebhook = { url: string; body: string; timeoutMs: number; signal: AbortSignal };

export function postWebhook({ url, body, timeoutMs, signal }: PostWebhook): Promise<Posted> {
	const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'user-agent': 'roost' };
	const { promise, resolve } = Promise.withResolvers<Posted>();
	const send = url.startsWith('https:') ? request : requestPlain;
	const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
	const sent = send(url, { method: 'POST', headers, agent: false, signal: limited });
	sent.on('response', (response) => {
		response.destroy();
		resolve(toPosted(response.statusCode ?? 0, response.headers['retry-after']));
	});
	sent.on('error', (error) => resolve({ type: 'busy', why: toReason(error, timeoutMs), afterMs: undefined }));
	sent.end(body);
	return promise;
}

function toPosted(status: number, retryAfter: string | undefined): Posted {
	if (status >= 200 && status < 300) return { type: 'accepted' };
	const why = `it answered with ${status}`;
	if (status !== 429 && status < 500) return { type: 'refused', why };
	return { type: 'busy', why, afterMs: /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : undefined };
}

/** The code alone: a message may contain the address, which may be a secret. */
function toReason(error: Error, timeoutMs: number): string {
	if (error.name === 'AbortError') return `it did not answer within ${timeoutMs} ms`;
	return 'code' in error ? String(error.code) : error.name;
}
