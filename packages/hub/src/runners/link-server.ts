// Where runners dial in: one socket for each, registered first, replaced by its next one, and closed when it is silent.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '@roost/gateway/http/log';
import { dismiss, toBuffer } from '@roost/gateway/sockets/clients';
import { queuedPrompt } from '@roost/protocol/api/driving';
import { AppError } from '@roost/protocol/app-error';
import { askRow } from '@roost/protocol/ask';
import { feedEvent } from '@roost/protocol/feed/event';
import { type HubFrame, type LinkOutcome, MOST_LINK_FRAME } from '@roost/protocol/hub/link-frames';
import { type RunnerId, sessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { HubStore, PlacedBatch, Taken } from '../store/hub-store.ts';
import { type HubSigner, newChallenge, type Registered, register } from './handshake.ts';
import type { KnownRunner, KnownRunners } from './known-runners.ts';
import type { Lanes } from './lanes.ts';
import { readRunnerFrame } from './read-frame.ts';
import { createRunnerLink, type RunnerLink } from './runner-link.ts';
import { createSilence } from './silence.ts';

export type LinkServer = AsyncDisposable & {
	door(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Its connection is closed, and it need not try again. */
	dismiss(id: RunnerId): void;
	connected(): number;
	/** Runners reconnect within this time, spread over it. */
	goAway(afterMs: number): void;
};

export type LinkServerDeps = {
	hub: HubSigner;
	runners: KnownRunners;
	store: HubStore;
	lanes: Lanes;
	/** It is connected: its open commands are due. */
	onConnected(runner: KnownRunner): void;
	onPresence(runner: KnownRunner): void;
	/** Lines that were not known, with their rows. Only live ones may notify people. */
	onTaken?(runner: KnownRunner, update: TakenUpdate, isLive: boolean): void;
	settle(runner: RunnerId, commandId: string, outcome: LinkOutcome): Promise<Result<void>>;
	now: () => number;
	newId: () => string;
	log: Log;
	limits?: Partial<LinkLimits>;
};

const LIMITS = {
	/** Without any frame for two of these a connection is dead. */
	heartbeatMs: 15_000,
	registerMs: 10_000,
	requestMs: 30_000,
	/** Unsent bytes to a runner that does not read. */
	unsentBytes: 64 * 1024 * 1024,
};
export type LinkLimits = typeof LIMITS;

/** Close codes: refused for good, replaced by a newer connection, ended by the hub. */
const REFUSED = 4403;
const REPLACED = 4409;
const GOING_AWAY = 1001;

export function createLinkServer(deps: LinkServerDeps): LinkServer {
	const limits = { ...LIMITS, ...deps.limits };
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: MOST_LINK_FRAME, perMessageDeflate: false });
	const sockets = new Map<RunnerLink, WebSocket>();
	const silence = createSilence(limits.heartbeatMs);

	function open(socket: WebSocket): void {
		const challenge = newChallenge(deps.hub);
		const wire = toWire(socket, limits.unsentBytes);
		let receive: ((text: string) => void) | undefined;
		let registering = false;
		const timer = setTimeout(() => socket.terminate(), limits.registerMs).unref();
		socket.on('error', (error) => deps.log({ level: 'warn', msg: 'a runner broke its connection', error: error.message }));
		socket.on('close', () => clearTimeout(timer));
		socket.on('message', (message, isBinary) => {
			silence.heard(socket);
			const text = isBinary ? '' : toBuffer(message).toString();
			if (receive) receive(text);
			else if (!registering) {
				registering = true;
				void admit(text);
			} else socket.terminate();
		});
		wire.send(challenge);

		async function admit(text: string): Promise<void> {
			const frame = readRunnerFrame(text);
			const head = frame.ok ? frame.value?.head : undefined;
			if (head?.type !== 'runner.register') {
				wire.refuse(frame.ok ? unexpected() : frame.error, false);
				return;
			}
			const registered = await register(head, challenge.nonce, deps);
			clearTimeout(timer);
			if (socket.readyState !== socket.OPEN) return;
			if (!registered.ok) {
				deps.log({ level: 'warn', msg: 'refused a runner', why: registered.error.message });
				wire.refuse(registered.error, registered.error.code !== 'store_unavailable');
				return;
			}
			wire.send(registered.value.reply);
			receive = join(socket, wire, registered.value).receive;
		}
	}

	function join(socket: WebSocket, wire: Wire, { runner, log, end }: Registered): RunnerLink {
		const link = createRunnerLink({
			...deps,
			requestMs: limits.requestMs,
			log,
			lastSeqNo: end.lastSeqNo,
			...wire,
			take: (batch, isLive) => deps.lanes.run(isLive ? 'live' : 'backfill', () => take(runner, batch, isLive)),
			settle: (commandId, outcome) => deps.settle(runner.id, commandId, outcome),
			onDelta({ event }) {
				const known = feedEvent.safeParse(event);
				if (known.success) runner.emit({ deltas: [known.data] });
			},
		});
		const before = runner.link && sockets.get(runner.link);
		Object.assign(runner, { link, since: deps.now() });
		sockets.set(link, socket);
		silence.add(socket, () => wire.send({ type: 'ping' }));
		if (before) void dismiss(before, REPLACED, 'replaced by a newer connection');
		socket.on('close', () => {
			silence.remove(socket);
			sockets.delete(link);
			link.end();
			if (runner.link !== link) return;
			const at = deps.now();
			Object.assign(runner, { link: undefined, since: at });
			void deps.store.runners.noteSeen(runner.id, { at });
			deps.onPresence(runner);
		});
		deps.onConnected(runner);
		deps.onPresence(runner);
		return link;
	}

	async function take(runner: KnownRunner, batch: PlacedBatch, isLive: boolean): Promise<Result<Taken>> {
		const taken = await deps.store.logs.take(batch);
		if (!taken.ok || runner.log?.epoch !== batch.log.epoch) return taken;
		runner.lastSeqNo = Math.max(runner.lastSeqNo, taken.value.lastSeqNo);
		if (taken.value.added.length === 0) return taken;
		const update = toUpdate(batch, taken.value);
		runner.emit(update);
		deps.onTaken?.(runner, update, isLive);
		return taken;
	}

	return {
		door: (request, socket, head) => upgrader.handleUpgrade(request, socket, head, open),
		dismiss(id) {
			const link = deps.runners.list().find((one) => one.id === id)?.link;
			const socket = link && sockets.get(link);
			if (socket) void dismiss(socket, REFUSED, 'revoked');
		},
		connected: () => sockets.size,
		goAway(afterMs) {
			for (const socket of sockets.values()) toWire(socket, limits.unsentBytes).send({ type: 'goaway', afterMs });
		},
		async [Symbol.asyncDispose]() {
			silence[Symbol.dispose]();
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, GOING_AWAY, 'the hub ends')));
		},
	};
}

type Wire = { send(frame: HubFrame): void; refuse(error: AppError, final: boolean): void };

/** A runner that does not read is cut off; it continues from what the hub has. */
function toWire(socket: WebSocket, unsentBytes: number): Wire {
	function send(frame: HubFrame): void {
		if (socket.readyState !== socket.OPEN) return;
		if (socket.bufferedAmount > unsentBytes) socket.terminate();
		else socket.send(JSON.stringify(frame));
	}
	return {
		send,
		refuse({ code, message }, final) {
			send({ type: 'refused', error: { code, message }, final });
			void dismiss(socket, REFUSED, 'refused');
		},
	};
}

export type TakenUpdate = ReturnType<typeof toUpdate>;

/** Lines for who follows the log, and the rows that came with them. Rows that this version cannot read are left out. */
function toUpdate({ rows }: PlacedBatch, { added }: Taken) {
	return {
		entries: added,
		asks: rows.asks.flatMap((row) => askRow.safeParse(row).data ?? []),
		prompts: rows.queues.flatMap((row) => promptQueue.safeParse(row).data ?? []),
	};
}

const promptQueue = z.object({ sessionId, prompts: z.array(queuedPrompt) });

function unexpected(): AppError {
	return new AppError('bad_request', 'The first frame of a runner has to be "runner.register".');
}
