// A runner that a test plays towards a hub, frame by frame: it can register wrongly and send whatever it likes.
import { randomBytes } from 'node:crypto';
import { signText } from '@roost/machine/signing-key';
import { accepts } from '@roost/protocol/hub/accepts';
import { toFrameText } from '@roost/protocol/hub/frame-text';
import { type HubFrame, hubFrame, LINK_PATH, LINK_PROTOCOL, type RunnerFrame } from '@roost/protocol/hub/link-frames';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { WebSocket } from 'ws';
import { terminate, waitForFrame } from '../api/raw-stream.ts';
import { waitFor } from '../wait-for.ts';
import type { ChainedLine } from './sample-log.ts';
import { rowsAfter } from './sample-log.ts';
import type { Joiner } from './test-hub.ts';

type Register = Extract<RunnerFrame, { type: 'runner.register' }>;

export type RawRunner = AsyncDisposable & {
	readonly frames: readonly HubFrame[];
	send(frame: RunnerFrame, lines?: readonly string[]): void;
	sendText(text: string): void;
	frame<T extends HubFrame['type']>(type: T): Promise<Extract<HubFrame, { type: T }>>;
	/** Signs the challenge. `change`: of the frame; `nonce`: signed in place of that of the challenge. */
	register(change?: Partial<Register>, nonce?: string): Promise<void>;
	/** Waits until the hub has everything up to here. */
	acknowledged(lastSeqNo: number): Promise<void>;
	/** The sentence and finality of the refusal. */
	refusal(): Promise<{ message: string; final: boolean }>;
	closed(): Promise<number>;
	isOpen(): boolean;
};

export async function connectRaw(
	{ port }: { port: number },
	{ id, runner: key }: Pick<Joiner, 'id' | 'runner'>,
	headers: Record<string, string> = {},
): Promise<RawRunner> {
	const socket = new WebSocket(`ws://127.0.0.1:${port}${LINK_PATH}`, { headers, perMessageDeflate: false });
	const frames: HubFrame[] = [];
	let closed: number | undefined;
	socket.on('message', (message) => frames.push(hubFrame.parse(JSON.parse(message.toString()))));
	socket.on('close', (code) => {
		closed = code;
	});
	socket.on('error', () => {});
	await waitFor(() => (socket.readyState === WebSocket.CONNECTING ? undefined : true), { what: 'the socket' });
	const frame: RawRunner['frame'] = (type) => waitForFrame(frames, type);
	return {
		frames,
		send: (sent, lines) => socket.send(toFrameText(sent, lines)),
		sendText: (text) => socket.send(text),
		frame,
		async register(change = {}, other) {
			const { nonce: own, hub } = await frame('hub.challenge');
			const nonce = other ?? own;
			const { epoch = 1, lastSeqNo = 0 } = change;
			const signed = toLinkText({ purpose: 'register', hub, nonce, runner: change.runnerId ?? id, epoch, lastSeqNo });
			const sent: Register = {
				type: 'runner.register',
				runnerId: id,
				runnerName: `machine of ${id}`,
				version: '0.1.0',
				protocol: { min: LINK_PROTOCOL, max: LINK_PROTOCOL },
				capabilities: [],
				activeSessions: [],
				accepts: accepts.parse({}),
				nonce: randomBytes(24).toString('base64url'),
				signature: signText(key, signed),
				epoch,
				lastSeqNo,
				...change,
			};
			socket.send(toFrameText(sent));
		},
		async acknowledged(lastSeqNo) {
			await waitForFrame(frames, 'backfill.ack', { fits: (ack) => ack.lastSeqNo === lastSeqNo });
		},
		async refusal() {
			const { error, final } = await frame('refused');
			return { message: error.message, final };
		},
		closed: () => waitFor(() => closed, { what: 'the connection to be closed' }),
		isOpen: () => closed === undefined,
		[Symbol.asyncDispose]: () => terminate(socket),
	};
}

/** A batch of these lines, as a runner sends it. */
export function toBatch(lines: readonly ChainedLine[], type: 'event' | 'event.backfill' = 'event') {
	const streams = [...new Set(lines.map(({ stream }) => stream))];
	const last = new Map(lines.map(({ stream, hash }) => [stream, hash]));
	return {
		type,
		first: lines[0]?.seqNo ?? 1,
		streams,
		places: lines.map(({ stream, offset }): [number, number] => [streams.indexOf(stream), offset]),
		heads: streams.map((stream) => last.get(stream) ?? ''),
		rows: { sessions: rowsAfter(lines), asks: [], queues: [], usage: [] },
	};
}
