// The way from an extension inside Pi to the runner: one line there, one line back, in the order in which things happened.

import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { isJsonObject } from '../../base/json-object.ts';

export type Door = {
	/** What nobody has to decide; it is on its way before anything that comes later. */
	report(hookName: string, session: string, payload: Record<string, unknown>): void;
	/** The answer, or null where nobody has an opinion; undefined where nobody could be reached. */
	ask(hookName: string, session: string, payload: Record<string, unknown>): Promise<Record<string, unknown> | null | undefined>;
	/** When everything so far was told, or could not be. */
	told(): Promise<void>;
};

/** `waitMs`: Roost's own deadline for an answer lies below. */
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
/** An agent that is only observed is not held up for a runner that is gone. */
const OBSERVED_MS = 5000;

export function openRunnerLink({ socket, secret, gate, waitMs, ready = Promise.resolve() }: RunnerLinkDeps): Door {
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

	/** The same request again where the runner was gone before it answered: the next one knows what became of it. */
	async function insist(line: string): Promise<unknown> {
		const until = performance.now() + (gate === 'enforce' ? waitMs : OBSERVED_MS);
		let heard = await exchange(socket, line, waitMs);
		const wasThere = heard.wasThere;
		while (heard.reply === undefined && wasThere && performance.now() < until) {
			await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
			heard = await exchange(socket, line, waitMs);
		}
		return heard.reply;
	}

	return {
		report(hookName, session, payload) {
			const line = toLine(hookName, session, payload);
			void inTurn(() => exchange(socket, line, REPORT_MS));
		},
		ask: (hookName, session, payload) => inTurn(async () => readReply(await insist(toLine(hookName, session, payload)))),
		told: async () => void (await last),
	};
}

type Heard = { reply: unknown; wasThere: boolean };

/** The reply is undefined where nothing came back, whether somebody was there or not. */
function exchange(path: string, line: string, limitMs: number): Promise<Heard> {
	return new Promise((resolve) => {
		const socket = createConnection(path);
		const timer = setTimeout(() => socket.destroy(), limitMs);
		let said = '';
		let wasThere = false;
		socket.on('connect', () => {
			wasThere = true;
		});
		socket.setEncoding('utf8');
		socket.on('data', (text: string) => {
			said += text;
			if (said.includes('\n')) socket.destroy();
		});
		// 'close' follows.
		socket.on('error', () => {});
		socket.on('close', () => {
			clearTimeout(timer);
			const [reply] = said.split('\n', 1);
			resolve({ reply: said.includes('\n') ? parse(reply ?? '') : undefined, wasThere });
		});
		socket.write(line);
	});
}

/** A reply that is an error is no answer. */
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
