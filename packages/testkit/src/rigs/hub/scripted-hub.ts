// A hub on loopback that speaks the frames and keeps lines in memory. Tests tell it when to misbehave.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSigningKey, isSignedBy, signText } from '@roost/machine/signing-key';
import { splitFrameText, toFrameText } from '@roost/protocol/hub/frame-text';
import {
	type Batch,
	type HubFrame,
	LINK_PATH,
	LINK_PROTOCOL,
	type LinkOutcome,
	type RunnerFrame,
	runnerFrame,
	type TerminalOpen,
} from '@roost/protocol/hub/link-frames';
import { type HubIdentity, hubIdentity } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { type WebSocket, WebSocketServer } from 'ws';
import { waitFor } from '../wait-for.ts';
import { createReplica, type Replica } from './replica.ts';

export type HubTricks = {
	/** Accepts lines and never says so. */
	neverAcks: boolean;
	/** Signs with another key than the one that was paired. */
	wrongKey: boolean;
	/** Sends no receipt.ack. */
	keepsReceipts: boolean;
	/** Instead of the challenge. */
	challenge: ((nonce: string) => HubFrame) | undefined;
	/** Changes the answer to a registration. */
	registered: ((frame: Extract<HubFrame, { type: 'runner.registered' }>) => HubFrame) | undefined;
	/** Called before a batch is stored; false loses it. */
	keeps: (first: number) => boolean;
	/** No reply to a ping, and nothing else either. */
	silent: boolean;
};

export type ScriptedHub = AsyncDisposable & {
	readonly url: string;
	readonly identity: HubIdentity;
	/** The public key of the runner; any is accepted before it is set. */
	runnerKey: string | undefined;
	readonly tricks: HubTricks;
	/** Claims to have this many lines more than it has. */
	claims: number;
	/** What it answered to registrations. */
	readonly answers: readonly HubFrame[];
	/** By `<runner> <epoch>`. */
	readonly logs: ReadonlyMap<string, Replica>;
	/** The log with the highest epoch. */
	log(): Replica;
	/** Every frame so far, without lines. */
	readonly frames: readonly RunnerFrame[];
	of<T extends RunnerFrame['type']>(type: T): Extract<RunnerFrame, { type: T }>[];
	/** Frames that broke a rule of the protocol. */
	readonly faults: readonly string[];
	/** To the runner that is connected. */
	send(frame: HubFrame): void;
	sendText(text: string): void;
	/** Ends the connection without a word. */
	cut(): void;
	connections(): number;
	isConnected(): boolean;
	/** Waits until a registration was accepted. */
	connected(count?: number): Promise<void>;
	/** Waits until everything up to here has arrived. */
	has(seqNo: number): Promise<void>;
	reply(id: string): Promise<LinkOutcome>;
	receipt(commandId: string, count?: number): Promise<LinkOutcome>;
	/** Asks the runner to join a channel, and waits until it has. */
	openChannel(open: TerminalOpen): Promise<DialledChannel>;
};

/** A connection that the runner dialled for a terminal. */
export type DialledChannel = {
	readonly id: string;
	readonly socket: WebSocket;
	/** From the runner, in order; text as a string. */
	readonly messages: (string | Buffer)[];
	closed(): number | undefined;
};

function receiveChannel(id: string, socket: WebSocket): DialledChannel {
	const messages: (string | Buffer)[] = [];
	let code: number | undefined;
	socket.on('error', () => {});
	socket.on('message', (message: Buffer, isBinary) => messages.push(isBinary ? message : message.toString()));
	socket.on('close', (given) => {
		code = given;
	});
	return { id, socket, messages, closed: () => code };
}

export async function startScriptedHub(): Promise<ScriptedHub> {
	const key = createSigningKey();
	const other = createSigningKey();
	const identity = hubIdentity.parse({ id: 'testhub0testhub0', name: 'test hub', publicKey: key.publicKey });
	const tricks: HubTricks = {
		neverAcks: false,
		wrongKey: false,
		keepsReceipts: false,
		challenge: undefined,
		registered: undefined,
		keeps: () => true,
		silent: false,
	};
	const logs = new Map<string, Replica>();
	const frames: RunnerFrame[] = [];
	const answers: HubFrame[] = [];
	let claims = 0;
	const faults: string[] = [];
	let epoch = 0;
	let runner = '';
	let registrations = 0;
	let current: WebSocket | undefined;
	let isRegistered = false;
	let runnerKey: string | undefined;

	const http = createServer();
	const server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
	const channels: DialledChannel[] = [];
	http.on('upgrade', (request, raw, head) => {
		const path = request.url ?? '';
		server.handleUpgrade(request, raw, head, (socket) => {
			if (path === LINK_PATH) serve(socket);
			else channels.push(receiveChannel(path.slice(path.lastIndexOf('/') + 1), socket));
		});
	});
	await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
	const { port } = http.address() as AddressInfo;

	const log = () => {
		const name = `${runner} ${epoch}`;
		const found = logs.get(name) ?? createReplica();
		logs.set(name, found);
		return found;
	};

	function serve(socket: WebSocket): void {
		current = socket;
		isRegistered = false;
		const nonce = randomBytes(24).toString('base64url');
		const send = (frame: HubFrame) => socket.send(toFrameText(frame));
		const challenge: HubFrame = {
			type: 'hub.challenge',
			nonce,
			hub: identity.id,
			protocol: { min: LINK_PROTOCOL, max: LINK_PROTOCOL },
		};
		socket.on('error', () => {});
		socket.on('message', (bytes) => {
			if (tricks.silent || socket !== current) return;
			const { head, lines } = splitFrameText(String(bytes));
			const frame = runnerFrame.safeParse(head);
			if (!frame.success) return void faults.push(frame.error.message);
			frames.push(frame.data);
			handle(frame.data, lines, nonce, send);
		});
		if (!tricks.silent) send(tricks.challenge?.(nonce) ?? challenge);
	}

	function handle(frame: RunnerFrame, lines: string[], nonce: string, send: (frame: HubFrame) => void): void {
		if (frame.type === 'runner.register') register(frame, nonce, send);
		if (frame.type === 'event' || frame.type === 'event.backfill') take(frame, lines, send);
		if (frame.type === 'command.receipt' && !tricks.keepsReceipts) send({ type: 'receipt.ack', commandId: frame.commandId });
		if (frame.type === 'ping') send({ type: 'pong' });
	}

	function take(batch: Batch, lines: string[], send: (frame: HubFrame) => void): void {
		if (!isRegistered) faults.push('lines before the registration');
		if (!tricks.keeps(batch.first)) return;
		const taken = log().take(batch, lines);
		if (taken instanceof Error) faults.push(taken.message);
		const lastSeqNo = log().lines.length;
		if (!tricks.neverAcks) send({ type: 'backfill.ack', lastSeqNo, ...(taken === 'gap' ? { resend: true } : {}) });
	}

	function register(
		frame: Extract<RunnerFrame, { type: 'runner.register' }>,
		nonce: string,
		send: (frame: HubFrame) => void,
	): void {
		const { runnerId, lastSeqNo } = frame;
		const text = toLinkText({ purpose: 'register', hub: identity.id, nonce, runner: runnerId, epoch: frame.epoch, lastSeqNo });
		if (runnerKey !== undefined && !isSignedBy(runnerKey, text, frame.signature)) return void faults.push('wrong signature');
		runner = runnerId;
		epoch = Math.max(epoch, frame.epoch);
		const hubSeqNo = log().lines.length + claims;
		const signed = toLinkText({ purpose: 'registered', hub: identity.id, nonce: frame.nonce, runner, epoch, hubSeqNo });
		const signature = signText(tricks.wrongKey ? other : key, signed);
		const answer = {
			type: 'runner.registered' as const,
			epoch,
			hubSeqNo,
			at: log().end(),
			assignedSessions: [],
			config: {},
			signature,
		};
		isRegistered = true;
		registrations += 1;
		answers.push(answer);
		send(tricks.registered?.(answer) ?? answer);
	}

	function of<T extends RunnerFrame['type']>(type: T): Extract<RunnerFrame, { type: T }>[] {
		return frames.filter((frame): frame is Extract<RunnerFrame, { type: T }> => frame.type === type);
	}
	return {
		url: `http://127.0.0.1:${port}`,
		identity,
		get runnerKey() {
			return runnerKey;
		},
		set runnerKey(next) {
			runnerKey = next;
		},
		tricks,
		get claims() {
			return claims;
		},
		set claims(more) {
			claims = more;
		},
		answers,
		logs,
		log,
		frames,
		of,
		faults,
		send: (frame) => current?.send(toFrameText(frame)),
		sendText: (text) => current?.send(text),
		cut: () => current?.terminate(),
		connections: () => server.clients.size,
		isConnected: () => isRegistered && current?.readyState === current?.OPEN,
		async connected(count = 1) {
			await waitFor(() => (registrations >= count ? true : undefined), { what: `${count} registrations`, seen: () => faults });
		},
		async has(seqNo) {
			await waitFor(() => (log().lines.length >= seqNo ? true : undefined), {
				what: `${seqNo} lines at the hub`,
				seen: () => ({ lines: log().lines.length, faults }),
			});
		},
		reply: (id) => waitFor(() => of('reply').find((frame) => frame.id === id)?.outcome, { what: `the reply to ${id}` }),
		receipt: (commandId, count = 1) =>
			waitFor(() => of('command.receipt').filter((frame) => frame.commandId === commandId)[count - 1]?.outcome, {
				what: `receipt ${count} of ${commandId}`,
			}),
		async openChannel(open) {
			current?.send(toFrameText({ type: 'terminal.open', ...open }));
			const isJoined = ({ id, messages }: DialledChannel) => id === open.channel && messages.length > 0;
			return await waitFor(() => channels.find(isJoined), { what: 'the runner to join a channel' });
		},
		async [Symbol.asyncDispose]() {
			for (const client of server.clients) client.terminate();
			server.close();
			await new Promise((resolve) => void http.close(resolve));
		},
	};
}
