// A simulated node: the product's own link, follower and subscription. All that it knows is lost when it is killed.
import { lineFrame } from '@roost/gateway/stream/frames';
import { createSubscription, type Subscription } from '@roost/gateway/stream/subscription';
import { createLogFollower, type LogFollower } from '@roost/hub/runners/follow-log';
import type { LinesHint } from '@roost/hub/runners/runner-bus';
import { createRunnerLink, type RunnerLink } from '@roost/hub/runners/runner-link';
import type { PlacedBatch, Taken } from '@roost/hub/store/hub-store';
import { toFrameText } from '@roost/protocol/hub/frame-text';
import type { HubFrame } from '@roost/protocol/hub/link-frames';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import { ok, type Result } from '@roost/protocol/result';
import type { World } from './bugs.ts';
import type { FromRunner, ToRunner } from './simulated-runner.ts';
import { RUNNER, type SimulatedStore } from './simulated-store.ts';

/** The end of a connection at the node. */
export type NodeWire = { send(message: ToRunner): void; close(): void };

/** What somebody sees who follows the runner at this node, across its restarts. */
export type Face = { epoch: number; lines: string[] };

export type SimulatedNode = ReturnType<typeof createSimulatedNode>;

const PAGE = 4;

export function createSimulatedNode(
	world: World,
	{ store, publish, face }: { store: SimulatedStore; publish(log: LogName, hint: LinesHint): void; face: Face },
) {
	const { step, bug, violate, chance } = world;
	let isDead = false;
	let isWatched = false;
	const ends = new Map<NodeWire, () => void>();
	let connection: { link: RunnerLink; wire: NodeWire; sent: Set<string> } | undefined;
	let emitted = 0;
	let subscription: Subscription | undefined;
	const follower: LogFollower = createLogFollower({
		store: {
			logs: { read: async (log, query) => ok('afterSeqNo' in query ? await store.read(log, query.afterSeqNo, query.limit) : []) },
			rows: { changed: async () => ok({ asks: [], queues: [] }) },
		},
		isWatched: () => isWatched,
		emit(update) {
			if (isDead) return;
			if (update.isRestored) {
				emitted = 0;
				openFace();
			}
			for (const entry of update.entries ?? []) {
				if (entry.seqNo !== emitted + 1) violate(`a node tells line ${entry.seqNo} after ${emitted}`);
				emitted = entry.seqNo;
				subscription?.offer(entry, () => lineFrame(entry.line));
			}
			subscription?.replay();
		},
		warn: violate,
	});

	/** As a face that connects: from its last line, or from the start in another epoch. */
	function openFace(): void {
		const log = follower.log();
		if (!log || isDead) return;
		subscription?.end();
		if (face.epoch !== log.epoch) Object.assign(face, { epoch: log.epoch, lines: [] });
		const take = (line: string) => void (face.epoch === log.epoch && !isDead && face.lines.push(line));
		const receive = (frame: Buffer) => {
			const text = frame.toString();
			if (text.startsWith(LINE)) take(text.slice(LINE.length, -1));
		};
		if (bug === 'live before caught up') {
			subscription = liveAtOnce(log, take);
			return;
		}
		subscription = createSubscription({
			sub: 'all',
			target: {},
			after: face.lines.length,
			log: {
				read: async (query) => ok('afterSeqNo' in query ? await store.read(log, query.afterSeqNo, query.limit) : []),
				lastOffset: () => ok(0),
				epoch: () => ok(log.epoch),
				head: () => ok(follower.lastSeqNo()),
			},
			outbox: { hasRoom: () => true, waiting: () => 0, send: receive } as never,
			pageLines: PAGE,
			onAhead: (error) => violate(error.message),
			onUnreadable: (error) => violate(error.message),
		});
		subscription.replay();
	}

	/** Planted. */
	function liveAtOnce(log: LogName, take: (line: string) => void): Subscription {
		void store.read(log, face.lines.length, 1_000).then((page) => page.map(({ line }) => take(line)));
		return { target: {}, offer: ({ line }: LogEntry) => take(line), isLive: () => true, replay() {}, end() {} };
	}

	async function take(batch: PlacedBatch, isGone: () => boolean): Promise<Result<Taken>> {
		if (bug === 'ack before commit with pruning') {
			void step('commit later').then(() => (isDead ? undefined : store.take(batch)));
			return ok({ lastSeqNo: batch.lines.at(-1)?.seqNo ?? 0, at: null, isGap: false, added: batch.lines });
		}
		const taken = await store.take(batch);
		if (isDead || !taken.ok) return taken;
		const { added, lastSeqNo } = taken.value;
		const [first, last] = [added[0], added.at(-1)];
		if (first && last) {
			const hint = { epoch: batch.log.epoch, first: first.seqNo, last: last.seqNo, entries: added, asks: [], prompts: [] };
			follower.take(batch.log, hint);
			publish(batch.log, hint);
		} else if (!isGone()) follower.reached(batch.log, lastSeqNo);
		return taken;
	}

	function toRunner(wire: NodeWire, frame: HubFrame): void {
		if (frame.type === 'backfill.ack') wire.send({ type: 'ack', lastSeqNo: frame.lastSeqNo, resend: frame.resend ?? false });
		if (frame.type === 'session.command') wire.send({ type: 'command', id: frame.commandId });
	}

	async function register(
		frame: Extract<FromRunner, { type: 'register' }>,
		wire: NodeWire,
		isGone: () => boolean,
	): Promise<void> {
		await step('register');
		store.openEpoch({ runnerId: RUNNER, epoch: frame.epoch });
		await step('read the end for a runner');
		const log = store.current();
		const { lastSeqNo, at } = store.endOf(log);
		if (isDead || isGone()) return;
		follower.reached(log, lastSeqNo);
		let isOver = false;
		const link = createRunnerLink({
			log,
			lastSeqNo,
			send: (sent) => toRunner(wire, sent),
			// The runner learns of it later, and sends on meanwhile.
			refuse(error, final) {
				if (final) violate(`a runner is refused for good: ${error.message}`);
				void step('refuse').then(() => wire.close());
			},
			take: (batch) => take(batch, () => isOver),
			async settle(id) {
				await step('store a receipt');
				store.commands.set(id, 'done');
				return ok(undefined);
			},
			onDelta() {},
			newId: () => '',
			requestMs: 1,
		});
		connection?.wire.close();
		connection = { link, wire, sent: new Set() };
		wire.send({ type: 'registered', epoch: log.epoch, hubSeqNo: lastSeqNo, at });
		ends.set(wire, () => {
			isOver = true;
			link.end();
		});
		sendOpen();
	}

	/** A receipt that is on its way does not keep a command from being sent again. */
	function sendOpen(): void {
		if (!connection) return;
		for (const [id, state] of store.commands) {
			if (state !== 'open' || (connection.sent.has(id) && !chance(0.3))) continue;
			connection.sent.add(id);
			connection.link.deliver({ commandId: id, expiresAt: 1, operation: 'x', input: {}, by: { name: 'ada', face: 'web' } });
		}
	}

	// As a node that starts: it reads where the log ends, then serves its face.
	follower.reached(store.current(), store.endOf(store.current()).lastSeqNo);
	emitted = follower.lastSeqNo();
	isWatched = true;
	openFace();

	return {
		/** Returns what takes the messages of the runner. */
		accept(wire: NodeWire, isGone: () => boolean): (message: FromRunner) => void {
			let isRegistered = false;
			return (message) => {
				if (isDead) return;
				if (message.type === 'register' && !isRegistered) {
					isRegistered = true;
					void register(message, wire, isGone);
				} else if (message.type === 'frame' && connection?.wire === wire) {
					connection.link.receive(toFrameText(message.frame, message.lines));
				}
			};
		},
		lost(wire: NodeWire) {
			ends.get(wire)?.();
			ends.delete(wire);
			if (connection?.wire === wire) connection = undefined;
		},
		hint(log: LogName, hint: LinesHint) {
			if (isDead) return;
			if (bug !== 'trusted hints') follower.take(log, hint);
			else for (const { seqNo, line } of hint.entries ?? []) trust(log, seqNo, line);
		},
		sweep() {
			if (isDead) return;
			follower.reached(store.current(), store.endOf(store.current()).lastSeqNo);
			sendOpen();
		},
		sendOpen,
		kill() {
			isDead = true;
			subscription?.end();
			for (const end of ends.values()) end();
		},
	};

	/** Planted: whatever a hint holds is the next line. */
	function trust(log: LogName, seqNo: number, line: string): void {
		if (log.epoch !== face.epoch) return;
		if (seqNo !== emitted + 1) violate(`a node tells line ${seqNo} after ${emitted}`);
		emitted = seqNo;
		face.lines.push(line);
	}
}

const LINE = '{"type":"line","line":';
