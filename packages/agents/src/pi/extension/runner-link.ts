// The connection from an extension inside Pi to the runner: one line each way, in order.

import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { isJsonObject } from '../../base/json-object.ts';

export type Door = ReturnType<typeof openRunnerLink>;

/** `waitMs` is longer than Roost's own deadline for an answer. */
export type RunnerLinkDeps = {
	socket: string;
	secret: string;
	gate: string;
	waitMs: number;
	/** Reports wait for it; Pi does not. */
	ready?: Promise<unknown>;
};

const REPORT_MS = 5000;
const AGAIN_MS = 200;
/** An observed agent is not delayed for a missing runner. */
const OBSERVED_MS = 5000;

export function openRunnerLink({ socket, secret, gate, waitMs, ready = Promise.resolve() }: RunnerLinkDeps) {
	let last: Promise<unknown> = ready.catch(() => undefined);

	function inTurn<T>(next: () => Promise<T>): Promise<T> {
		const done = last.then(next);
		last = done.catch(() => undefined);
		return done;
	}

	function toLine(hookName: string, session: string, payload: Record<string, unknown>): string {
		const request = { secret, request_id: randomUUID(), ts: Date.now(), session_id: session, hook_event_name: hookName, payload };
		return `${JSON.stringify(request)}\n`;
	}

	/** Repeats the request if the runner exited before it answered; the next one knows its outcome. */
	async function insist(line: string): Promise<unknown> {
		const until = performance.now() + (gate === 'enforce' ? waitMs : OBSERVED_MS);
		let received = await exchange(socket, line, waitMs);
		const wasThere = received.wasThere;
		while (received.reply === undefined && wasThere && performance.now() < until) {
			await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
			received = await exchange(socket, line, waitMs);
		}
		return received.reply;
	}

	return {
		/** Sent before any later request. */
		report(hookName: string, session: string, payload: Record<string, unknown>): void {
			const line = toLine(hookName, session, payload);
			void inTurn(() => exchange(socket, line, REPORT_MS));
		},
		/** Null for no opinion; undefined where the runner is unreachable. */
		ask: (hookName: string, session: string, payload: Record<string, unknown>) =>
			inTurn(async () => readReply(await insist(toLine(hookName, session, payload)))),
		/** Resolves when everything so far was sent or failed. */
		reported: async () => void (await last),
	};
}

type Exchange = { reply: unknown; wasThere: boolean };

/** The reply is undefined without an answer, connected or not. */
function exchange(path: string, line: string, limitMs: number): Promise<Exchange> {
	return new Promise((resolve) => {
		const socket = createConnection(path);
		const timer = setTimeout(() => socket.destroy(), limitMs);
		let message = '';
		let wasThere = false;
		socket.on('connect', () => {
			wasThere = true;
		});
		socket.setEncoding('utf8');
		socket.on('data', (text: string) => {
			message += text;
			if (message.includes('\n')) socket.destroy();
		});
		socket.on('error', () => {});
		socket.on('close', () => {
			clearTimeout(timer);
			const [reply] = message.split('\n', 1);
			resolve({ reply: message.includes('\n') ? parse(reply ?? '') : undefined, wasThere });
		});
		socket.write(line);
	});
}

function readReply(reply: unknown): Record<string, unknown> | null | undefined {
	const payload = isJsonObject(reply) && isJsonObject(reply.payload) ? reply.payload : undefined;
	if (payload?.action === 'passthrough') return null;
	return payload?.action === 'json_output' && isJsonObject(payload.stdout_json) ? payload.stdout_json : undefined;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
