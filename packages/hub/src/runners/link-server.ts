// Where runners dial in: one socket for each, registered first, replaced by its next one, and closed when it is silent.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '@roost/gateway/http/log';
import { dismiss, toBuffer } from '@roost/gateway/sockets/clients';
import { AppError, type ErrorCode } from '@roost/protocol/app-error';
import { feedEvent } from '@roost/protocol/feed/event';
import { type HubFrame, type LinkOutcome, MOST_LINK_FRAME } from '@roost/protocol/hub/link-frames';
import type { RunnerId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { type WebSocket, WebSocketServer } from 'ws';
import type { HubStore, PlacedBatch, Taken } from '../store/hub-store.ts';
import { type HubSigner, newChallenge, type Registered, register, revoked } from './handshake.ts';
import type { KnownRunner, KnownRunners } from './known-runners.ts';
import type { Lanes } from './lanes.ts';
import { readRunnerFrame } from './read-frame.ts';
import { type LinesHint, readRows } from './runner-bus.ts';
import { createRunnerLink, type RunnerLink } from './runner-link.ts';
import { createSilence } from './silence.ts';

export type LinkServer = AsyncDisposable & {
	door(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Its connection is closed, and it need not try again. */
	dismiss(id: RunnerId): void;
	/** It has a newer connection at another node. */
	replaced(id: RunnerId): void;
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
	/** Connections that did not register yet; one more closes the oldest. */
	strangers: 256,
	/** What such a connection may send. */
	strangerBytes: 256 * 1024,
	/** Unsent bytes to a runner that does not read. */
	unsentBytes: 64 * 1024 * 1024,
};
export type LinkLimits = typeof LIMITS;

/** Without another pairing or version it would be refused again; what the database reports passes. */
const FOR_GOOD: ReadonlySet<string> = new Set<ErrorCode>(['unauthorized', 'upgrade_required']);

/** Close codes: refused for good, replaced by a newer connection, ended by the hub. */
const REFUSED = 4403;
const REPLACED = 4409;
const GOING_AWAY = 1001;

export function createLinkServer(deps: LinkServerDeps): LinkServer {
	const limits = { ...LIMITS, ...deps.limits };
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: MOST_LINK_FRAME, perMessageDeflate: false });
	const sockets = new Map<RunnerLink, WebSocket>();
	/** By runner, also of revoked ones. */
	const current = new Map<RunnerId, WebSocket>();
	const silence = createSilence(limits.heartbeatMs);

	const strangers = new Set<WebSocket>();

	/** Anyone can connect: until it registered, a connection costs little. */
	function bound(socket: WebSocket, raw: Duplex): () => void {
		let bytes = 0;
		const count = (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > limits.strangerBytes) socket.terminate();
		};
		const timer = setTimeout(() => socket.terminate(), limits.registerMs).unref();
		const known = () => {
			clearTimeout(timer);
			raw.off('data', count);
			strangers.delete(socket);
		};
		raw.on('data', count);
		socket.on('close', known);
		strangers.add(socket);
		const [oldest] = strangers;
		if (strangers.size > limits.strangers) oldest?.terminate();
		return known;
	}

	function open(socket: WebSocket, raw: Duplex): void {
		const challenge = newChallenge(deps.hub);
		const wire = toWire(socket, limits.unsentBytes);
		let receive: ((text: string) => void) | undefined;
		let registering = false;
		const known = bound(socket, raw);
		socket.on('error', (error) => deps.log({ level: 'warn', msg: 'a runner broke its connection', error: error.message }));
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
			if (socket.readyState !== socket.OPEN) return;
			if (registered.ok && registered.value.runner.row.revokedAt !== null) {
				wire.refuse(revoked(), true);
				return;
			}
			if (!registered.ok) {
				deps.log({ level: 'warn', msg: 'refused a runner', why: registered.error.message });
				wire.refuse(registered.error, FOR_GOOD.has(registered.error.code));
				return;
			}
			if (registered.value.links < registered.value.runner.links) {
				void dismiss(socket, REPLACED, 'replaced by a newer connection');
				return;
			}
			known();
			wire.send(registered.value.reply);
			receive = join(socket, wire, registered.value).receive;
		}
	}

	function join(socket: WebSocket, wire: Wire, { runner, log, end, links }: Registered): RunnerLink {
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
				if (known.success) runner.delta(known.data);
			},
		});
		const before = runner.link && sockets.get(runner.link);
		Object.assign(runner, { link, links, elsewhere: undefined, since: deps.now() });
		if (runner.interest.all().length > 0) link.setInterest(runner.interest.all());
		sockets.set(link, socket);
		current.set(runner.id, socket);
		silence.add(socket, () => wire.send({ type: 'ping' }));
		if (before) void dismiss(before, REPLACED, 'replaced by a newer connection');
		socket.on('close', () => {
			silence.remove(socket);
			sockets.delete(link);
			link.end();
			if (current.get(runner.id) === socket) current.delete(runner.id);
			if (runner.link !== link) return;
			const at = deps.now();
			Object.assign(runner, { link: undefined, since: at });
			void deps.store.runners.noteSeen(runner.id, at);
			deps.onPresence(runner);
		});
		deps.onConnected(runner);
		deps.onPresence(runner);
		return link;
	}

	async function take(runner: KnownRunner, batch: PlacedBatch, isLive: boolean): Promise<Result<Taken>> {
		runner.announced = Math.max(runner.announced, batch.lines.at(-1)?.seqNo ?? 0);
		const taken = await deps.store.logs.take(batch);
		if (!taken.ok) return taken;
		const { added, lastSeqNo } = taken.value;
		const lines = toLines(batch, added);
		if (lines) runner.stored(batch.log, lines);
		else runner.reached(batch.log, lastSeqNo);
		if (lines) deps.onTaken?.(runner, { ...lines, entries: added }, isLive);
		return taken;
	}

	return {
		door: (request, socket, head) => upgrader.handleUpgrade(request, socket, head, (opened) => open(opened, socket)),
		dismiss(id) {
			const socket = current.get(id);
			if (socket) void dismiss(socket, REFUSED, 'revoked');
		},
		replaced(id) {
			const runner = deps.runners.known(id);
			const socket = runner?.link && sockets.get(runner.link);
			if (!runner || !socket) return;
			// It did not go offline: its end is not reported.
			runner.link = undefined;
			void dismiss(socket, REPLACED, 'replaced by a newer connection');
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

export type TakenUpdate = LinesHint & { entries: Taken['added'] };

/** Lines for who follows the log, and the rows that came with them. Rows that this version cannot read are left out. */
function toLines({ log, rows }: PlacedBatch, added: Taken['added']): LinesHint | undefined {
	const [first, last] = [added[0], added.at(-1)];
	if (!first || !last) return undefined;
	return {
		epoch: log.epoch,
		first: first.seqNo,
		last: last.seqNo,
		entries: added,
		...readRows(rows),
	};
}

function unexpected(): AppError {
	return new AppError('bad_request', 'The first frame of a runner has to be "runner.register".');
}
