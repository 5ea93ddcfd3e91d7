// One connection, without a socket: what it acknowledges, and what it does after a gap.
import { AppError } from '@roost/protocol/app-error';
import type { HubFrame, LinkOutcome } from '@roost/protocol/hub/link-frames';
import { runnerId, type StreamId, streamId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { PlacedBatch, Taken } from '../store/hub-store.ts';
import { createRunnerLink } from './runner-link.ts';

const LOG = { runnerId: runnerId.parse('r1'), epoch: 1 };
const CALL = { operation: 'projects.list', input: {}, by: { name: 'ada', face: 'cli' } };

describe('batches of a runner', () => {
	it('are acknowledged after they are on disk, in order', async () => {
		const rig = openLink();
		const disk = Promise.withResolvers<void>();
		rig.beforeTake = () => disk.promise;
		rig.batch(1, 2);
		rig.batch(3, 1);
		await waitFor(() => rig.taken.length > 0 || undefined, { what: 'the first take' });
		expect(rig.sent).toEqual([]);
		disk.resolve();
		await rig.until(2);
		expect(rig.sent).toEqual([ack(2), ack(3)]);
	});

	it('are dropped after a gap, which is answered once, until the runner has gone back', async () => {
		const rig = openLink();
		rig.batch(1, 1);
		rig.batch(5, 1);
		rig.batch(6, 1);
		rig.batch(7, 1);
		rig.batch(2, 3);
		await rig.until(3);
		expect(rig.sent).toEqual([ack(1), { ...ack(1), resend: true }, ack(4)]);
		expect(rig.taken.map(({ lines }) => lines[0]?.seqNo)).toEqual([1, 5, 2]);
	});

	it('that break the protocol end the connection for good; a full disk or another line in their place does not', async () => {
		for (const [code, final] of [
			['bad_request', true],
			['corrupt', false],
			['store_unavailable', false],
		] as const) {
			const rig = openLink();
			rig.fail = new AppError(code, 'No.');
			rig.batch(1, 1);
			await waitFor(() => rig.refused.length > 0 || undefined, { what: 'a refusal' });
			expect(rig.refused).toEqual([[code, final]]);
			expect(rig.sent).toEqual([]);
		}
	});

	it('that were on their way behind a refused one are not stored', async () => {
		const rig = openLink();
		const disk = Promise.withResolvers<void>();
		rig.beforeTake = () => disk.promise;
		rig.fail = new AppError('corrupt', 'No.');
		rig.batch(1, 1);
		rig.batch(2, 1);
		disk.resolve();
		await waitFor(() => rig.refused.length > 0 || undefined, { what: 'a refusal' });
		rig.fail = undefined;
		rig.batch(3, 1);
		await new Promise(setImmediate);
		expect(rig.taken).toHaveLength(1);
		expect(rig.sent).toEqual([]);
	});

	it('are bounded: a runner that does not wait for acknowledgements is refused', () => {
		const rig = openLink();
		for (let first = 1; first < 20; first += 1) rig.batch(first, 1);
		expect(rig.refused[0]).toEqual(['bad_request', false]);
	});
});

describe('calls to a runner', () => {
	it('resolve with its reply, and only that of their own id', async () => {
		const rig = openLink();
		const [one, two] = [rig.link.request(CALL), rig.link.request(CALL)];
		rig.receive({ type: 'reply', id: 'other', outcome: { ok: true, value: 0 } });
		rig.receive({ type: 'reply', id: 'id-1', outcome: { ok: true, value: 2 } });
		rig.receive({ type: 'reply', id: 'id-0', outcome: { ok: true, value: 1 } });
		expect(await Promise.all([one, two])).toEqual([
			{ ok: true, value: 1 },
			{ ok: true, value: 2 },
		]);
	});

	it('fail when the connection is lost, or without a reply in time', async () => {
		const rig = openLink();
		const pending = rig.link.request(CALL);
		rig.link.end();
		expect(await pending).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
		expect(await rig.link.request(CALL)).toMatchObject({ ok: false, error: { code: 'cannot_start' } });
		const hasty = openLink({ requestMs: 1 });
		expect(await hasty.link.request(CALL)).toMatchObject({ ok: false, error: { code: 'timed_out' } });
	});

	it('acknowledge a receipt only when it is stored', async () => {
		const rig = openLink();
		const outcome: LinkOutcome = { ok: true, value: {} };
		rig.settled = err(new AppError('store_unavailable', 'No.'));
		rig.receive({ type: 'command.receipt', commandId: 'c1', outcome });
		rig.settled = ok(undefined);
		rig.receive({ type: 'command.receipt', commandId: 'c2', outcome });
		await rig.until(1);
		expect(rig.sent).toEqual([{ type: 'receipt.ack', commandId: 'c2' }]);
	});
});

function ack(lastSeqNo: number): HubFrame {
	return { type: 'backfill.ack', lastSeqNo };
}

function openLink({ requestMs = 60_000 } = {}) {
	const sent: HubFrame[] = [];
	const refused: [string, boolean][] = [];
	const taken: PlacedBatch[] = [];
	let ids = 0;
	let last = 0;
	const rig = {
		sent,
		refused,
		taken,
		fail: undefined as AppError | undefined,
		settled: ok(undefined) as Result<void>,
		beforeTake: () => Promise.resolve(),
		receive: (frame: object) => link.receive(JSON.stringify(frame)),
		batch(first: number, count: number) {
			const stream: StreamId = streamId.parse('s');
			const numbers = Array.from({ length: count }, (_, at) => first + at);
			const head = {
				type: 'event',
				first,
				streams: [stream],
				places: numbers.map((offset) => [0, offset]),
				heads: ['0'.repeat(64)],
				rows: { sessions: [], asks: [], queues: [], usage: [] },
			};
			link.receive([JSON.stringify(head), ...numbers.map((seqNo) => `{"seqNo":${seqNo}}`)].join('\n'));
		},
		until: (count: number) => waitFor(() => sent.length >= count || undefined, { what: `${count} frames` }),
		get link() {
			return link;
		},
	};
	const link = createRunnerLink({
		log: LOG,
		lastSeqNo: 0,
		send: (frame) => {
			if (frame.type !== 'request') sent.push(frame);
		},
		refuse: ({ code }, final) => void refused.push([code, final]),
		async take(batch): Promise<Result<Taken>> {
			taken.push(batch);
			await rig.beforeTake();
			if (rig.fail) return err(rig.fail);
			const isGap = (batch.lines[0]?.seqNo ?? 0) > last + 1;
			if (!isGap) last = batch.lines.at(-1)?.seqNo ?? last;
			return ok({ lastSeqNo: last, at: null, isGap, added: isGap ? [] : batch.lines });
		},
		settle: async () => rig.settled,
		onDelta: () => {},
		newId: () => `id-${ids++}`,
		requestMs,
	});
	return rig;
}
