// Sends notices to one webhook, one at a time: tries again for a while, and drops what cannot be sent with a line in the log.
import type { Log } from '@roost/gateway/http/log';
import type { Timers } from '@roost/machine/timers';
import { type Posted, postWebhook } from './post-webhook.ts';

export type Sender = AsyncDisposable & {
	send(body: string): void;
};

export type SenderDeps = { url: string; timers: Timers; log: Log; timeoutMs?: number };

const TIMEOUT_MS = 10_000;
export const MOST_WAITING = 100;
export const RETRIES = 3;
const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 60_000;

export function createSender({ url, timers, log, timeoutMs = TIMEOUT_MS }: SenderDeps): Sender {
	const waiting: string[] = [];
	const closing = new AbortController();
	const { signal } = closing;
	let working: Promise<void> | undefined;
	// The rest of an address may be a secret.
	const { host } = new URL(url);

	async function work(): Promise<void> {
		for (let body = waiting.shift(); body !== undefined && !signal.aborted; body = waiting.shift()) {
			const why = await deliver(body);
			if (why !== undefined && !signal.aborted) log({ level: 'warn', msg: 'a notification was not delivered', host, why });
		}
		working = undefined;
	}

	/** Why it was not delivered. */
	async function deliver(body: string): Promise<string | undefined> {
		for (let retries = 0; ; retries += 1) {
			const posted = await postWebhook({ url, body, timeoutMs, signal });
			if (posted.type === 'accepted') return undefined;
			if (posted.type === 'refused' || retries === RETRIES || signal.aborted) return posted.why;
			await pause(delayOf(posted, retries));
		}
	}

	function pause(ms: number): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const end = () => {
			cancel();
			signal.removeEventListener('abort', end);
			resolve();
		};
		const cancel = timers.after(ms, end);
		signal.addEventListener('abort', end);
		return promise;
	}

	return {
		send(body) {
			if (signal.aborted) return;
			waiting.push(body);
			if (waiting.length > MOST_WAITING) {
				waiting.shift();
				log({ level: 'warn', msg: 'a notification was not delivered', host, why: 'too many are waiting' });
			}
			working ??= work();
		},
		async [Symbol.asyncDispose]() {
			closing.abort();
			await working;
		},
	};
}

function delayOf({ afterMs }: Extract<Posted, { type: 'busy' }>, retries: number): number {
	return Math.min(afterMs ?? FIRST_DELAY_MS * 4 ** retries, LONGEST_DELAY_MS);
}
