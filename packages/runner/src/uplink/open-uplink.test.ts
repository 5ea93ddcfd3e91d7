import { type ScriptedHub, startScriptedHub } from '@roost/testkit/rigs/hub/scripted-hub';
import { openUplinkRig, UPLINK_RUNNER, type UplinkRig } from '@roost/testkit/rigs/hub/uplink-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const CUTS = process.env.ROOST_SOAK === '1' ? 1_000 : 40;

describe('log of a paired runner', () => {
	it('arrives byte for byte and in order: what was stored as backfill, then each commit as a live batch', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub, { isPaired: false });
		await rig.append('a', 450);
		rig.pair();
		await hub.has(450);
		await rig.append('b', 5);
		await rig.append('a', 3);
		await expectWhole(hub, rig);
		expect(hub.of('event.backfill').map(({ first, places }) => [first, places.length])).toEqual([
			[1, 200],
			[201, 200],
			[401, 50],
		]);
		expect(hub.of('event').flatMap(({ places }) => places)).toHaveLength(8);
		expect(hub.of('event')[0]?.streams).toEqual(['b']);
	});

	it('brings the rows of each batch, which together make the tables', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		for (const session of ['a', 'b', 'a', 'c', 'a']) await rig.append(session, 2);
		await expectWhole(hub, rig);
		const rows = [...hub.log().rows.sessions.values()];
		expect(rows).toHaveLength(3);
		expect(rows).toEqual(expect.arrayContaining(unwrap(rig.store.sessions())));
	});

	it('is cut into batches by bytes, and a longer line is a batch of its own', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub, { isPaired: false });
		await rig.append('a', 5, 'x'.repeat(100_000));
		await rig.append('a', 1, 'y'.repeat(600_000));
		await rig.append('a', 3);
		rig.pair();
		await expectWhole(hub, rig);
		expect(hub.of('event.backfill').map(({ places }) => places.length)).toEqual([2, 2, 1, 1, 2, 1]);
	});

	it('is marked as acknowledged, and the status counts the rest', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.tricks.neverAcks = true;
		await rig.append('a', 3);
		await hub.has(3);
		expect(unwrap(rig.uplink.status())).toMatchObject({ state: 'connected', hub: { name: 'test hub' }, behind: 3 });
		hub.tricks.neverAcks = false;
		hub.send({ type: 'backfill.ack', lastSeqNo: 3 });
		await waitFor(() => (unwrap(rig.store.outbox.state(UPLINK_RUNNER)).flushedSeqNo === 3 ? true : undefined), {
			what: 'the mark',
		});
		expect(unwrap(rig.uplink.status())).toMatchObject({ behind: 0 });
	});

	it('waits in the record while the hub acknowledges nothing: at most four batches are under way', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.tricks.neverAcks = true;
		for (let round = 0; round < 30; round++) {
			await rig.append('a', 1);
			if (round < 4) await hub.has(round + 1);
		}
		hub.send({ type: 'ping' });
		await waitFor(() => hub.of('pong')[0], { what: 'a pong, after everything that was sent before' });
		expect(hub.of('event')).toHaveLength(4);
		hub.tricks.neverAcks = false;
		hub.send({ type: 'backfill.ack', lastSeqNo: 4 });
		await expectWhole(hub, rig);
	});

	it('is sent again from where the hub lost a batch', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.append('a', 2);
		await hub.has(2);
		let lost = 0;
		hub.tricks.keeps = (first) => first !== 3 || lost++ > 0;
		await rig.append('a', 1);
		await waitFor(() => (lost > 0 ? true : undefined), { what: 'a lost batch' });
		await rig.append('b', 2);
		await expectWhole(hub, rig);
	});

	it('is whole after cuts at random moments', { timeout: 600_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(3), { minLength: CUTS, maxLength: CUTS }), async (steps) => {
				await using hub = await startScriptedHub();
				await using rig = await openUplinkRig(hub);
				for (const step of steps) {
					await rig.append(`s${step}`, 1 + step * 40);
					if (step === 0) await hub.connected();
					if (step % 2 === 1) hub.cut();
				}
				await expectWhole(hub, rig);
			}),
			{ numRuns: 2 },
		);
	});
});

describe('hub that was restored', () => {
	it('from an older state is filled up', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.append('a', 30);
		await expectWhole(hub, rig);
		hub.log().cutTo(11);
		hub.cut();
		await rig.append('b', 2);
		await expectWhole(hub, rig);
		expect(unwrap(rig.store.epoch())).toBe(1);
	});

	it('is not believed when it acknowledges more than was sent', async () => {
		await using hub = await startScriptedHub();
		await using rig = await openUplinkRig(hub);
		await rig.until('connected');
		hub.send({ type: 'backfill.ack', lastSeqNo: 1_000_000 });
		await rig.append('a', 3);
		await expectWhole(hub, rig);
	});
});

async function expectWhole(hub: ScriptedHub, rig: UplinkRig): Promise<void> {
	await hub.has(rig.lines().length);
	expect(hub.log().lines).toEqual(rig.lines());
	expect(hub.faults).toEqual([]);
}
