// JSON lines like JSON-RPC without a version field. Both sides count their own ids.
import type { Timers } from '@roost/machine/timers';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { parseBounded } from '../../hooks/bounded-json.ts';

export type RpcPeer = ReturnType<typeof createRpcPeer>;

export type RpcId = string | number;

export type Answer = { result: object } | { error: { code: number; message: string } };

export type RpcPeerDeps = {
	/** False after the end of the process. */
	write: (line: string) => boolean;
	timers: Timers;
	onNotice: (method: string, params: unknown) => void;
	/** `answer` must be called once. */
	onRequest: (id: RpcId, method: string, params: unknown, answer: (answer: Answer) => void) => void;
};

const LIMIT_MS = 30_000;
const MAX_WAITING = 100;

const message = z.object({
	id: z.union([z.string(), z.number()]).optional(),
	method: z.string().optional(),
	params: z.unknown().optional(),
	result: z.unknown().optional(),
	error: z.object({ message: z.string() }).optional(),
});

export function createRpcPeer(deps: RpcPeerDeps) {
	const waiting = new Map<RpcId, (result: Result<unknown>) => void>();
	let lastId = 0;
	let isClosed = false;

	function send(body: object): boolean {
		return !isClosed && deps.write(JSON.stringify(body));
	}

	function settle(id: RpcId, result: Result<unknown>): void {
		const resolve = waiting.get(id);
		waiting.delete(id);
		resolve?.(result);
	}

	return {
		/** Error responses, timeouts and the end of the process are errors. */
		request(method: string, params: object, limitMs: number = LIMIT_MS): Promise<Result<unknown>> {
			if (waiting.size >= MAX_WAITING)
				return Promise.resolve(err(new AppError('too_large', `too many requests wait: ${method}`)));
			lastId += 1;
			const id = lastId;
			return new Promise((resolve) => {
				const forget = deps.timers.after(limitMs, () =>
					settle(id, err(new AppError('timed_out', `no answer to ${method} within ${Math.round(limitMs / 1000)} s`))),
				);
				waiting.set(id, (result) => {
					forget();
					resolve(result);
				});
				if (!send({ id, method, params })) settle(id, err(GONE));
			});
		},
		notify(method: string): void {
			send({ method });
		},
		/** False for a line that is not part of the protocol. */
		take(line: string): boolean {
			const parsed = message.safeParse(parseBounded(line));
			if (!parsed.success) return false;
			const { id, method, params, result, error } = parsed.data;
			// Ids of both sides collide: only messages with a method are requests.
			if (method !== undefined && id !== undefined) deps.onRequest(id, method, params, (answer) => send({ id, ...answer }));
			else if (method !== undefined) deps.onNotice(method, params);
			else if (id !== undefined) settle(id, error ? err(new AppError('agent_failed', error.message)) : ok(result));
			else return false;
			return true;
		},
		close(): void {
			isClosed = true;
			for (const id of [...waiting.keys()]) settle(id, err(GONE));
		},
	};
}

const GONE = new AppError('agent_failed', 'it is gone');

export function isGone(error: AppError): boolean {
	return error === GONE;
}
