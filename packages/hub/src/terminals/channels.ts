// Terminals of runners: a channel for each viewer, which the runner joins at any node. What passes is sealed and is not read here.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseJson } from '@roost/core/display/parse-json';
import type { Caller } from '@roost/gateway/access/caller';
import { verifyText } from '@roost/gateway/access/verify-signature';
import type { PassTerminal } from '@roost/gateway/operations/served-runner';
import { dismiss, toBuffer } from '@roost/gateway/sockets/clients';
import { MOST_FRAME_BYTES, type TerminalServerFrame } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { LINK_PATH, type TerminalOpen } from '@roost/protocol/hub/link-frames';
import type { HubId } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { CHANNEL_FOLDER, type ChannelId, type ChannelJoin, channelId, channelJoin } from '@roost/protocol/hub/terminal-channel';
import type { RunnerId } from '@roost/protocol/ids';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { type Bus, toToken } from '../bus/bus.ts';
import type { KnownRunner } from '../runners/known-runners.ts';
import { readHint } from '../runners/runner-bus.ts';
import { type ChannelEnd, createPipe, type EndEvents, type Pipe } from './pipe.ts';
import { createRelayEnd } from './relay-end.ts';
import { createSocketEnd, isLeaving } from './socket-end.ts';

export type Channels = AsyncDisposable & {
	/** For viewers of its terminals. */
	of(runner: KnownRunner): PassTerminal;
	/** Where a runner joins; undefined for another path. */
	findDoor(path: string): ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
	/** The runner was revoked: its terminals are closed. */
	dismiss(id: RunnerId): void;
	open(): number;
};

export type ChannelsDeps = {
	hub: { readonly id: HubId };
	bus: Bus;
	/** Whether somebody may type into terminals of a runner. */
	mayOpen(caller: Caller, runner: RunnerId): boolean;
	/** How long a runner may take to join, and to say which one it is. */
	joinMs?: number;
	beatMs?: number;
};

const JOIN_MS = 10_000;

/** A viewer at this node whose runner has not joined yet. */
type Opened = { runner: KnownRunner; join(signature: string, open: (events: EndEvents) => ChannelEnd): boolean };

export function createChannels(deps: ChannelsDeps): Channels {
	const { hub, bus, joinMs = JOIN_MS } = deps;
	const upgrader = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES, perMessageDeflate: false });
	const waiting = new Map<ChannelId, Opened>();
	const pipes = new Map<Pipe, RunnerId>();

	function newPipe(runner: RunnerId, onClosed = () => {}): Pipe {
		const pipe = createPipe(() => {
			pipes.delete(pipe);
			onClosed();
		});
		pipes.set(pipe, runner);
		return pipe;
	}

	/** The pipe of a viewer; its runner is asked to join. */
	function openChannel(runner: KnownRunner, open: TerminalOpen): Pipe {
		const { channel } = open;
		const pipe = newPipe(runner.id, () => settle());
		const timer = setTimeout(() => pipe.close({ how: 'lost', reason: LATE }), joinMs).unref();
		const stop = bus.serve(joinsOf(channel), async (text) => {
			const asked = readHint(relayedJoin, text);
			if (!asked) return '';
			const relay = { bus, to: `${asked.relay}.down`, from: `${asked.relay}.up`, isReady: true, beatMs: deps.beatMs };
			return join(channel, asked, (events) => createRelayEnd({ ...relay, events })) ? JOINED : '';
		});

		function settle(): void {
			clearTimeout(timer);
			waiting.delete(channel);
			stop();
		}

		waiting.set(channel, {
			runner,
			join(signature, end) {
				const signed = toLinkText({ purpose: 'channel', hub: hub.id, channel, runner: runner.id });
				if (!verifyText(runner.row.publicKey, signed, signature)) return false;
				settle();
				pipe.attach('runner', end);
				return true;
			},
		});
		void runner.openTerminal(open).then((asked) => asked.ok || pipe.close({ how: 'lost', reason: asked.error.message }));
		return pipe;
	}

	/** Once: a channel that was joined is not known any more. */
	function join(channel: ChannelId, by: Omit<ChannelJoin, 'type'>, end: (events: EndEvents) => ChannelEnd): boolean {
		const opened = waiting.get(channel);
		return opened?.runner.id === by.runner && opened.join(by.signature, end);
	}

	async function admit(socket: WebSocket, channel: ChannelId, by: ChannelJoin): Promise<void> {
		const ofRunner = (events: EndEvents) => toEnd(socket, events);
		if (waiting.has(channel)) {
			if (!join(channel, by, ofRunner)) void dismiss(socket, UNKNOWN, 'no such channel');
			return;
		}
		// Of this attempt only: one that is refused must not reach the channel.
		const relay = `relays.${newId()}`;
		const relayed = { bus, to: `${relay}.up`, from: `${relay}.down`, isReady: false, beatMs: deps.beatMs };
		const pipe = newPipe(by.runner);
		pipe.attach('face', (events) => createRelayEnd({ ...relayed, events }));
		const asked: RelayedJoin = { runner: by.runner, signature: by.signature, relay };
		const reply = await bus.request(joinsOf(channel), JSON.stringify(asked), joinMs);
		const isOpen = socket.readyState === socket.OPEN;
		if (isOpen && reply.ok && reply.value === JOINED) return pipe.attach('runner', ofRunner);
		pipe.close({ how: 'lost', reason: '' });
		void dismiss(socket, UNKNOWN, 'no such channel');
	}

	/** Its first message says which runner it is. */
	function receiveRunner(socket: WebSocket, channel: ChannelId): void {
		const timer = setTimeout(() => socket.terminate(), joinMs).unref();
		socket.on('error', () => {});
		socket.once('close', () => clearTimeout(timer));
		socket.once('message', (message, isBinary) => {
			clearTimeout(timer);
			const by = isBinary ? undefined : channelJoin.safeParse(parseJson(toBuffer(message).toString())).data;
			if (by) void admit(socket, channel, by);
			else void dismiss(socket, UNKNOWN, 'not a runner');
		});
	}

	return {
		of: (runner) => (terminalId, caller, socket) => {
			if (!deps.mayOpen(caller, runner.id)) return refuse(socket, runner);
			const device = caller.via === 'device' ? caller.device : undefined;
			const pipe = openChannel(runner, { channel: newId(), terminalId, by: { ...caller.principal, device } });
			let events: EndEvents | undefined;
			pipe.attach('face', (given) => {
				events = given;
				return createSocketEnd(socket, given);
			});
			return {
				receive: (data, isBinary) => events?.message({ data, isBinary }),
				leave: (how) => events?.closed({ how, reason: 'the viewer has left' }),
			};
		},
		findDoor(path) {
			if (!path.startsWith(FOLDER)) return undefined;
			const channel = channelId.safeParse(path.slice(FOLDER.length));
			if (!channel.success) return undefined;
			return (request, socket, head) =>
				upgrader.handleUpgrade(request, socket, head, (opened) => receiveRunner(opened, channel.data));
		},
		dismiss(id) {
			for (const [pipe, runner] of [...pipes]) if (runner === id) pipe.close({ how: 'lost', reason: 'The runner was revoked.' });
		},
		open: () => pipes.size,
		async [Symbol.asyncDispose]() {
			for (const pipe of [...pipes.keys()]) pipe.close({ how: 'lost', reason: 'The hub is restarting.' });
			await Promise.all([...upgrader.clients].map((client) => dismiss(client, 1001, 'the hub ends')));
		},
	};
}

const FOLDER = LINK_PATH + CHANNEL_FOLDER;
const UNKNOWN = 4404;
const LATE = 'The runner did not open the terminal in time. Its Roost may be older than the hub.';
const JOINED = 'joined';
const joinsOf = (channel: ChannelId) => `channels.${toToken(channel)}`;
const relayedJoin = channelJoin.omit({ type: true }).extend({ relay: z.string().regex(/^relays\.[\w-]+$/) });
type RelayedJoin = z.infer<typeof relayedJoin>;

/** 192 bits: whoever knows it was told by this hub. */
function newId(): ChannelId {
	return randomBytes(24).toString('base64url');
}

/** The socket of a runner; that of a face is served by the gateway. */
function toEnd(socket: WebSocket, events: EndEvents): ChannelEnd {
	socket.on('message', (message, isBinary) => events.message({ data: toBuffer(message), isBinary }));
	socket.on('close', (code) =>
		events.closed({ how: isLeaving(code) ? 'left' : 'lost', reason: 'The connection to the runner was lost.' }),
	);
	return createSocketEnd(socket, events);
}

function refuse(socket: WebSocket, { row }: KnownRunner) {
	const { code, message } = new AppError(
		'denied',
		`This needs the role "owner" on the runner "${row.name}". Ask an admin of the hub.`,
	);
	const frame: TerminalServerFrame = { type: 'refused', what: 'attach', error: { code, message }, final: true };
	socket.send(JSON.stringify(frame));
	void dismiss(socket, 1008, 'not allowed');
	return { receive() {}, leave() {} };
}
