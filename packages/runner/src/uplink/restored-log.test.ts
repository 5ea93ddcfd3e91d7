import { runnerStream } from '@roost/protocol/ids';
import { storedLine } from '@roost/protocol/stored-line';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { startScriptedHub } from '@roost/testkit/rigs/hub/scripted-hub';
import { openUplinkRig, UPLINK_RUNNER } from '@roost/testkit/rigs/hub/uplink-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('record restored from a backup', () => {
	it.each([
		['the hub has events that it lacks', 3],
		['it has other events in their place', 9],
	])('is sent whole in a new epoch, and a fact says so: %s', async (_, count) => {
		await using hub = await startScriptedHub();
		await using lost = createMemoryStore();
		{
			await using rig = await openUplinkRig(hub, { store: lost });
			await rig.append('a', 5, 'before the loss');
			await hub.has(5);
		}
		const before = hub.log().lines;
		await using restored = createMemoryStore();
		await using rig = await openUplinkRig(hub, { store: restored });
		await rig.append('a', count, 'after the loss');
		const fact = await waitFor(() => gapIn(restored), { what: 'a fact about the restored record' });
		expect(fact).toMatch(/The record was restored from an older state. It continues as epoch 2.$/);
		await waitFor(() => hub.logs.get(`${UPLINK_RUNNER} 2`), { what: 'a second epoch' });
		await hub.has(count + 1);
		expect(hub.log().lines).toEqual(rig.lines());
		expect(hub.logs.get(`${UPLINK_RUNNER} 1`)?.lines).toEqual(before);
		expect(hub.faults).toEqual([]);
		expect(unwrap(restored.epoch())).toBe(2);
	});

	it('continues above every epoch that the hub knows', async () => {
		await using hub = await startScriptedHub();
		await using first = createMemoryStore();
		for (const why of ['one', 'two']) unwrap(await first.openEpoch(why, 1));
		{
			await using rig = await openUplinkRig(hub, { store: first });
			await rig.append('a', 2);
			await hub.has(2);
		}
		await using rig = await openUplinkRig(hub);
		await rig.append('a', 2);
		await waitFor(() => hub.logs.get(`${UPLINK_RUNNER} 4`), { what: 'epoch 4' });
		await hub.has(3);
		expect(hub.log().lines).toEqual(rig.lines());
	});

	it('does not open epoch after epoch for a hub that never agrees', async () => {
		await using hub = await startScriptedHub();
		hub.claims = 1_000;
		await using rig = await openUplinkRig(hub);
		await rig.until('refused');
		expect(unwrap(rig.store.epoch())).toBe(4);
		expect(unwrap(rig.uplink.status()).reason).toContain('3 times in a row');
	});
});

function gapIn(store: Store): string | undefined {
	const lines = unwrap(store.read({ stream: runnerStream(UPLINK_RUNNER), after: 0, limit: 100 }));
	const events = lines.map(({ line }) => storedLine.parse(JSON.parse(line)).event);
	return events.find((event) => event.kind === 'runtime.status')?.data.reason;
}
