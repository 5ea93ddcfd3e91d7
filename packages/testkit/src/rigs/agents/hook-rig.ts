// A hook server with a temporary directory, a manual clock, and clients for HTTP and the socket.

import { createConnection } from 'node:net';
import { CLAUDE_HOOK_PROTOCOL } from '@roost/agents/claude/hooks/decision-mapper';
import { type HookServer, type HookServerDeps, type NewHookLaunch, startHookServer } from '@roost/agents/hooks/server';
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import { createLineFramer } from '@roost/machine/lines';
import type { WireError } from '@roost/protocol/app-error';
import { createManualTimers, type ManualTimers } from '../manual-timers.ts';
import { createTempDir } from '../temp-dir.ts';
import { unwrap } from '../unwrap.ts';

export type HookRig = AsyncDisposable & {
	server: HookServer;
	launch: NewHookLaunch;
	timers: ManualTimers;
	/** All events of the launch's runtime so far. */
	events: RuntimeEvent[];
	decisions: { eventId: string; decision: RuntimeDecision }[];
	refused: WireError[];
	/** Posts to the HTTP door with the launch's secret. */
	post(body: unknown, init?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Response>;
	connect(): Promise<NdjsonClient>;
	/** An envelope with this launch's secret. */
	envelope(id: string, hookName: string, payload?: unknown): Record<string, unknown>;
};

export type NdjsonClient = AsyncDisposable & {
	send(message: unknown): void;
	write(bytes: string | Buffer): void;
	/** The next reply, in order of arrival; null when the server has hung up. */
	next(): Promise<Record<string, unknown> | null>;
	close(): Promise<void>;
};

export async function openHookRig(
	options: { gate?: GateMode; start?: boolean; limits?: HookServerDeps['limits'] } = {},
): Promise<HookRig> {
	const directory = await createTempDir();
	const timers = createManualTimers(1000);
	const refused: WireError[] = [];
	let ids = 0;
	const server = unwrap(
		await startHookServer({
			runDir: directory.path,
			now: timers.now,
			newId: () => `id-${++ids}`,
			timers,
			limits: options.limits,
			onRefused: (error) => refused.push(error),
		}),
	);
	const launch = server.openLaunch({ gate: options.gate ?? 'observe', protocol: CLAUDE_HOOK_PROTOCOL });
	const events: RuntimeEvent[] = [];
	const decisions: HookRig['decisions'] = [];
	launch.runtime.onEvent((event) => events.push(event));
	launch.runtime.onDecision((eventId, decision) => decisions.push({ eventId, decision }));
	if (options.start ?? true) launch.runtime.start();
	return {
		server,
		launch,
		timers,
		events,
		decisions,
		refused,
		post: (body, init = {}) =>
			fetch(server.httpUrl, {
				method: 'POST',
				body: typeof body === 'string' ? body : JSON.stringify(body),
				headers: { authorization: `Bearer ${launch.secret}`, 'content-type': 'application/json', ...init.headers },
				signal: init.signal ?? null,
			}),
		connect: () => connectNdjson(server.socketPath),
		envelope: (id, hookName, payload = {}) => ({
			secret: launch.secret,
			request_id: id,
			ts: 1,
			session_id: 's1',
			hook_event_name: hookName,
			payload,
		}),
		async [Symbol.asyncDispose]() {
			await server.close();
			await directory[Symbol.asyncDispose]();
		},
	};
}

export async function connectNdjson(path: string): Promise<NdjsonClient> {
	const socket = createConnection(path);
	await new Promise<void>((resolve, reject) => {
		socket.once('connect', resolve).once('error', reject);
	});
	const framer = createLineFramer(2 ** 24);
	const arrived: (Record<string, unknown> | null)[] = [];
	const wanted: ((reply: Record<string, unknown> | null) => void)[] = [];
	const deliver = (reply: Record<string, unknown> | null) => {
		const waiter = wanted.shift();
		if (waiter) waiter(reply);
		else arrived.push(reply);
	};
	socket.on('data', (chunk: Buffer) => {
		for (const frame of framer.push(chunk)) if (frame.type === 'line') deliver(JSON.parse(frame.text));
	});
	socket.on('close', () => deliver(null));
	// A server that hangs up is seen as the end of the replies.
	socket.on('error', () => {});
	const close = async (): Promise<void> => {
		if (socket.closed) return;
		await new Promise((resolve) => socket.once('close', resolve).destroy());
	};
	return {
		send: (message) => socket.write(`${JSON.stringify(message)}\n`),
		write: (bytes) => socket.write(bytes),
		next: () => {
			const reply = arrived.shift();
			return reply === undefined ? new Promise((resolve) => wanted.push(resolve)) : Promise.resolve(reply);
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}
