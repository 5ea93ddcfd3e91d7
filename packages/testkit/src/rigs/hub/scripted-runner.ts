// A runner that is only its connection: it registers, sends the lines it is told to, and replies as a test says.
import { once } from 'node:events';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import { accepts } from '@roost/protocol/hub/accepts';
import { toFrameText } from '@roost/protocol/hub/frame-text';
import {
	type HubFrame,
	hubFrame,
	LINK_PROTOCOL,
	type LinkOutcome,
	type RowChanges,
	type RunnerFrame,
} from '@roost/protocol/hub/link-frames';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { runnerId } from '@roost/protocol/ids';
import { WebSocket } from 'ws';
import { waitFor } from '../wait-for.ts';
import { type ChainedLine, logOf, sampleBatch } from './sample-log.ts';

export type ScriptedRunner = AsyncDisposable & {
	send(frame: RunnerFrame): void;
	/** As one live batch. */
	append(lines: readonly ChainedLine[], rows?: Partial<RowChanges>): void;
	/** Waits until everything up to here is acknowledged. */
	acknowledged(seqNo: number): Promise<void>;
	readonly commands: readonly Extract<HubFrame, { type: 'session.command' }>[];
	/** Called with each frame of the hub. */
	onFrame: ((frame: HubFrame) => void) | undefined;
	/** Answers each request and, if set, each command. */
	answer: { request: LinkOutcome; command: LinkOutcome | undefined };
	/** The streams that the hub wants deltas of. */
	interest(): readonly string[];
	/** The code of its end; undefined while it is open. */
	closed(): number | undefined;
	cut(): void;
};

export const RUNNER_KEY = createSigningKey();
const NONCE = 'n'.repeat(22);

export async function connectRunner(url: string, { id = 'runner-1', epoch = 1 } = {}): Promise<ScriptedRunner> {
	const socket = new WebSocket(url);
	const frames: HubFrame[] = [];
	const commands: Extract<HubFrame, { type: 'session.command' }>[] = [];
	let interest: readonly string[] = [];
	let ended: number | undefined;
	const send = (frame: RunnerFrame, lines: string[] = []) => socket.send(toFrameText(frame, lines));
	socket.on('error', () => undefined);
	socket.on('close', (code) => {
		ended = code;
	});
	const runner: ScriptedRunner = {
		send,
		append(lines, rows = {}) {
			const batch = sampleBatch(logOf(id, epoch), lines);
			const streams = [...batch.heads.keys()];
			send(
				{
					type: 'event',
					first: lines[0]?.seqNo ?? 1,
					streams,
					places: lines.map(({ stream, offset }) => [streams.indexOf(stream), offset]),
					heads: [...batch.heads.values()],
					rows: { ...batch.rows, ...rows },
				},
				lines.map(({ line }) => line),
			);
		},
		async acknowledged(seqNo) {
			const isThere = () => frames.some((frame) => frame.type === 'backfill.ack' && frame.lastSeqNo >= seqNo);
			await waitFor(() => isThere() || undefined, { what: `the acknowledgement of ${seqNo}`, seen: () => frames.slice(-3) });
		},
		commands,
		onFrame: undefined,
		answer: { request: { ok: true, value: id }, command: { ok: true, value: `done by ${id}` } },
		interest: () => interest,
		closed: () => ended,
		cut: () => socket.terminate(),
		async [Symbol.asyncDispose]() {
			if (socket.readyState === socket.CLOSED) return;
			const closed = once(socket, 'close');
			socket.terminate();
			await closed;
		},
	};

	function receive(frame: HubFrame): void {
		frames.push(frame);
		runner.onFrame?.(frame);
		if (frame.type === 'hub.challenge') register(frame.nonce, frame.hub);
		if (frame.type === 'interest') interest = frame.streams;
		if (frame.type === 'request') send({ type: 'reply', id: frame.id, outcome: runner.answer.request });
		if (frame.type !== 'session.command') return;
		commands.push(frame);
		if (runner.answer.command) send({ type: 'command.receipt', commandId: frame.commandId, outcome: runner.answer.command });
	}

	function register(nonce: string, hub: string): void {
		const text = toLinkText({ purpose: 'register', hub, nonce, runner: id, epoch, lastSeqNo: 0 });
		send({
			type: 'runner.register',
			runnerId: runnerId.parse(id),
			runnerName: `name of ${id}`,
			version: '1.0.0',
			protocol: { min: LINK_PROTOCOL, max: LINK_PROTOCOL },
			capabilities: [],
			activeSessions: [],
			epoch,
			lastSeqNo: 0,
			accepts: accepts.parse({}),
			nonce: NONCE,
			signature: signText(RUNNER_KEY, text),
		});
	}

	socket.on('message', (bytes) => receive(hubFrame.parse(JSON.parse(String(bytes)))));
	await waitFor(() => frames.some(({ type }) => type === 'runner.registered') || undefined, {
		what: 'the registration',
		seen: () => frames,
	});
	return runner;
}
