// The simulated runner: its log and receipts stay when it is killed, and its connection is the product's own sender.
import type { LinkOutcome, RunnerFrame } from '@roost/protocol/hub/link-frames';
import { type StreamId, streamId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok } from '@roost/protocol/result';
import { whyRolledBack } from '@roost/runner/uplink/compare-logs';
import { createBatchReader } from '@roost/runner/uplink/read-batch';
import { createSender, type Sender } from '@roost/runner/uplink/sender';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { linePlace } from '@roost/store/prepared-append';
import type { World } from './bugs.ts';
import { RUNNER } from './simulated-store.ts';

/** What a node says to the runner, as far as the simulation has it. */
export type ToRunner =
	| { type: 'registered'; epoch: number; hubSeqNo: number; at: { stream: StreamId; offset: number; hash: string } | null }
	| { type: 'ack'; lastSeqNo: number; resend: boolean }
	| { type: 'command'; id: string };

export type FromRunner =
	| { type: 'register'; epoch: number; lastSeqNo: number }
	| { type: 'frame'; frame: RunnerFrame; lines: readonly string[] };

/** The end of a connection at the runner. */
export type RunnerWire = { send(message: FromRunner): void; close(): void };

type Line = LogEntry & { hash: string };
type State = { epoch: number; lines: Line[]; receipts: Map<string, LinkOutcome>; pruned: number };

const STREAMS = ['s0', 's1', 's2'].map((name) => streamId.parse(name));
const BATCH_LINES = 3;

export function createSimulatedRunner({ step, bug, violate }: World) {
	let state: State = { epoch: 1, lines: [], receipts: new Map(), pruned: 0 };
	let backup: State | undefined;
	let wire: RunnerWire | undefined;
	let sender: Sender | undefined;
	let written = 0;

	function append(text: string): void {
		written += 1;
		const { lines } = state;
		const stream = STREAMS[written % STREAMS.length] ?? STREAMS[0];
		if (!stream) return;
		const before = lines.findLast((line) => line.stream === stream);
		const offset = (before?.offset ?? 0) + 1;
		const seqNo = lines.length + 1;
		const line = `${linePlace(JSON.stringify(stream), seqNo, offset)},"event":${JSON.stringify(`${text} ${written}`)}}`;
		lines.push({ seqNo, stream, offset, line, hash: nextHash(before?.hash ?? genesisHash(stream), line) });
		sender?.hint();
	}

	const store = {
		read: (query: object) => {
			const { afterSeqNo, limit } = query as { afterSeqNo: number; limit: number };
			return ok(afterSeqNo < state.pruned ? [] : state.lines.slice(afterSeqNo, afterSeqNo + Math.min(limit, BATCH_LINES)));
		},
		hashAt: (stream: StreamId, offset: number) =>
			ok(state.lines.find((line) => line.stream === stream && line.offset === offset)?.hash),
		rowsChanged: () => ok({ sessions: [], asks: [], queues: [], usage: [] }),
	};

	function start(answer: Extract<ToRunner, { type: 'registered' }>, to: RunnerWire, liveAfter: number): void {
		const own = { runnerId: RUNNER, epoch: state.epoch, seqNo: liveAfter };
		const why = bug === 'epoch ignored' ? ok(undefined) : whyRolledBack(store as never, own, answer);
		if (why.ok && why.value !== undefined) {
			state.epoch = Math.max(state.epoch, answer.epoch) + 1;
			append('the record was restored');
			to.close();
			return;
		}
		sender = createSender({
			reader: createBatchReader(store as never, RUNNER),
			after: Math.min(answer.hubSeqNo, state.lines.length),
			liveAfter,
			send: (frame, lines) => to.send({ type: 'frame', frame, lines }),
			onAcknowledged(seqNo) {
				if (bug === 'ack before commit with pruning') state.pruned = seqNo;
			},
			onFailed: (error) => violate(error.message),
			soon: (run) => void step('the runner sends').then(run),
		});
	}

	/** Its fact and its receipt are one transaction. */
	function execute(id: string, to: RunnerWire): void {
		if (!state.receipts.has(id) || bug === 'no receipts') append(`command ${id}`);
		state.receipts.set(id, { ok: true, value: id });
		to.send({ type: 'frame', frame: { type: 'command.receipt', commandId: id, outcome: { ok: true, value: id } }, lines: [] });
	}

	function disconnect(): void {
		sender?.close();
		sender = undefined;
		wire?.close();
		wire = undefined;
	}

	return {
		append,
		lines: (): readonly LogEntry[] => state.lines,
		epoch: () => state.epoch,
		isConnected: () => wire !== undefined && sender !== undefined,
		/** How often the record has the fact of a command. */
		facts: (id: string) => state.lines.filter(({ line }) => line.includes(`"command ${id} `)).length,
		backUp() {
			backup = { ...state, lines: [...state.lines], receipts: new Map(state.receipts) };
		},
		/** From the backup: what came after it is lost. */
		restore() {
			if (!backup) return false;
			disconnect();
			state = { ...backup, lines: [...backup.lines], receipts: new Map(backup.receipts) };
			return true;
		},
		disconnect,
		/** Returns what takes the messages of the node. */
		connect(to: RunnerWire): (message: ToRunner) => void {
			disconnect();
			wire = to;
			const liveAfter = state.lines.length;
			to.send({ type: 'register', epoch: state.epoch, lastSeqNo: liveAfter });
			return (message) => {
				if (wire !== to) return;
				if (message.type === 'registered') start(message, to, liveAfter);
				else if (message.type === 'ack') sender?.acknowledge(message.lastSeqNo, message.resend);
				else execute(message.id, to);
			};
		},
		lost(to: RunnerWire) {
			if (wire === to) disconnect();
		},
	};
}
