// HTTP to the runner, which is on this machine. Node's own `fetch` takes longer to load than most commands take to run.
import { request } from 'node:http';
import type { Fetch } from '@roost/client/api-call';

/** A runner that hangs is given up as `fetch` would. */
const SILENCE_MS = 300_000;

export const nodeFetch: Fetch = (url, { method, headers, body }) => {
	const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Fetch>>>();
	const sent = request(url, { method, headers }, (reply) => {
		const parts: Buffer[] = [];
		reply.on('data', (part: Buffer) => parts.push(part));
		reply.on('error', reject);
		reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: async () => Buffer.concat(parts).toString('utf8') }));
	});
	sent.on('error', reject);
	sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error(`no answer in ${SILENCE_MS / 1_000} seconds`)));
	sent.end(body);
	return promise;
};
