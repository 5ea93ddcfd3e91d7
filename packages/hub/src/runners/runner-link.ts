// One connected runner: takes its batches in order, acknowledges what is on disk, and carries calls to it.
import { AppError } from '@roost/protocol/app-error';
import { assertNever } from '@roost/protocol/assert-never';
import type { HubFrame, LinkCall, LinkOutcome, RunnerFrame, TerminalOpen } from '@roost/protocol/hub/link-frames';
import type { StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { Result } from '@roost/protocol/result';
import type { PlacedBatch, Taken } from '../store/hub-store.ts';
import { createOpenRequests } from './open-requests.ts';
import { placeLines, type ReceivedFrame, readRunnerFrame } from './read-frame.ts';

export type RunnerLink = {
	/** Not durable; fails when the runner does not reply in time. */
	request(call: LinkCall): Promise<LinkOutcome>;
	/** Sent once for each connection; its receipt may come at any time. */
	deliver(command: LinkCall & { commandId: string; expiresAt: number }): void;
	setInterest(streams: readonly StreamId[]): void;
	/** It joins the channel with a connection of its own. */
	openTerminal(open: TerminalOpen): void;
	/** A frame of the runner. */
	receive(text: string): void;
	/** The connection was lost. */
	end(): void;
};

export type LinkDeps = {
	log: LogName;
	lastSeqNo: number;
	send(frame: HubFrame): void;
	/** Closes the connection with the reason; `final`: the runner need not try again. */
	refuse(error: AppError, final: boolean): void;
	/** Resolves when the batch is on disk. */
	take(batch: PlacedBatch, isLive: boolean): Promise<Result<Taken>>;
	/** Stores the receipt of a durable command. */
	settle(commandId: string, outcome: LinkOutcome): Promise<Result<void>>;
	onDelta(frame: Extract<RunnerFrame, { type: 'event.delta' }>): void;
	newId: () => string;
	requestMs: number;
};

type BatchFrame = Extract<RunnerFrame, { type: 'event' | 'event.backfill' }>;

/** Twice of what a runner sends without an acknowledgement. */
const MOST_WAITING = 8;

export function createRunnerLink(deps: LinkDeps): RunnerLink {
	const { log, send, refuse } = deps;
	const requests = createOpenRequests(deps);
	let taking = Promise.resolve();
	let waiting = 0;
	let lastSeqNo = deps.lastSeqNo;
	/** After a gap, batches that were on their way are dropped until the runner has gone back. */
	let isBehind = false;
	/** What was on its way does not continue what was refused. */
	let isRefused = false;
	let hasEnded = false;

	async function takeBatch(head: BatchFrame, lines: string[]): Promise<void> {
		if (hasEnded || isRefused || (isBehind && head.first > lastSeqNo + 1)) return;
		const batch = placeLines(log, head, lines);
		const taken = batch.ok ? await deps.take(batch.value, head.type === 'event') : batch;
		if (hasEnded) return;
		if (!taken.ok) {
			isRefused = true;
			refuse(taken.error, isFinal(taken.error));
			return;
		}
		isBehind = taken.value.isGap;
		lastSeqNo = taken.value.lastSeqNo;
		send({ type: 'backfill.ack', lastSeqNo, ...(isBehind ? { resend: true } : {}) });
	}

	function enqueue(head: BatchFrame, lines: string[]): void {
		waiting += 1;
		if (waiting > MOST_WAITING) {
			refuse(new AppError('bad_request', `More than ${MOST_WAITING} batches without an acknowledgement.`), false);
			return;
		}
		taking = taking.then(async () => {
			await takeBatch(head, lines);
			waiting -= 1;
		});
	}

	async function settle(commandId: string, outcome: LinkOutcome): Promise<void> {
		const settled = await deps.settle(commandId, outcome);
		// Without it the command is sent again, which the runner answers with the same receipt.
		if (settled.ok && !hasEnded) send({ type: 'receipt.ack', commandId });
	}

	function take({ head, lines }: ReceivedFrame): void {
		switch (head.type) {
			case 'event':
			case 'event.backfill':
				enqueue(head, lines);
				break;
			case 'event.delta':
				deps.onDelta(head);
				break;
			case 'command.receipt':
				void settle(head.commandId, head.outcome);
				break;
			case 'reply':
				requests.settle(head.id, head.outcome);
				break;
			case 'ping':
				send({ type: 'pong' });
				break;
			case 'pong':
				break;
			case 'runner.register':
				refuse(new AppError('bad_request', 'This runner is registered already.'), false);
				break;
			default:
				assertNever(head);
		}
	}

	return {
		request: (call) => requests.open((id) => send({ ...call, type: 'request', id })),
		deliver: (command) => send({ ...command, type: 'session.command' }),
		setInterest: (streams) => send({ type: 'interest', streams: [...streams] }),
		openTerminal: (open) => send({ ...open, type: 'terminal.open' }),
		receive(text) {
			const frame = readRunnerFrame(text);
			if (!frame.ok) refuse(frame.error, false);
			else if (frame.value) take(frame.value);
		},
		end() {
			hasEnded = true;
			requests.end();
		},
	};
}

/**
 * A line that does not fit may be of a record that was restored while an older connection was still being stored: the next handshake
 * compares the logs, and the runner continues in a new epoch.
 */
function isFinal({ code }: AppError): boolean {
	return code === 'bad_request';
}
