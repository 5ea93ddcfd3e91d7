// Clocks that are wrong by a day at the hub or at the runner: order and copy are unchanged, and only the runner's clock judges commands.
import { join } from 'node:path';
import { createForwarded } from '@roost/hub/api/forwarded';
import { contract } from '@roost/protocol/contract/contract';
import { type Operation, type Parts, placeInput } from '@roost/protocol/contract/operation';
import type { CommandSeal } from '@roost/protocol/hub/signed-command';
import { ok } from '@roost/protocol/result';
import { expect, it } from 'vitest';
import { type RealHub, startRealHub } from '../rigs/hub/real-hub.ts';
import { RUNNER_KEY } from '../rigs/hub/scripted-runner.ts';
import { createSigningDevice } from '../rigs/hub/signing-device.ts';
import { openUplinkRig, UPLINK_RUNNER } from '../rigs/hub/uplink-rig.ts';
import { sampleAppend, sampleAsk, sampleEvent } from '../rigs/record/sample-append.ts';
import { createSeeded } from '../rigs/seeded.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it.each([
	{ where: 'the hub, a day ahead', hub: DAY_MS, runner: 0, runs: true },
	{ where: 'the hub, a day behind', hub: -DAY_MS, runner: 0, runs: true },
	{ where: 'the runner, almost a day behind', hub: 0, runner: -23 * HOUR_MS, runs: true },
	{ where: 'the runner, a day ahead', hub: 0, runner: DAY_MS, runs: false },
])('a wrong clock of $where changes neither the copy nor who judges a command', async ({ hub: shift, runner, runs }) => {
	await using directory = await createTempDir();
	const path = join(directory.path, 'hub.db');
	await using hub = await startRealHub({ path, random: createSeeded(1), now: () => Date.now() + shift, sweepMs: 20 });
	const runnerNow = () => Date.now() + runner;
	const ran: string[] = [];
	await using rig = await openUplinkRig(hub, {
		key: RUNNER_KEY,
		now: runnerNow,
		handlers: {
			asks: {
				approve({ askId }: { askId: string }) {
					ran.push(askId);
					return ok(sampleAsk('1', { state: 'denied' }));
				},
			},
			sessions: {
				rename({ id, title }: { id: string; title: string }) {
					ran.push(title);
					return ok({ sessionId: id });
				},
			},
		} as never,
	});
	await rig.until('connected');
	await rig.append('a', 40);
	const asked = sampleAsk('1', { openedAt: runnerNow(), expiresAt: runnerNow() + 60_000 });
	const { entries } = unwrap(await rig.store.append(sampleAppend('a', [sampleEvent('a', 41)], { asks: [asked] })));
	rig.report({ entries, asks: [asked] });
	await hub.has(rig.lines());

	const { id: askId, nonce, sessionId: id } = asked;
	expect(await call(hub, 'asks.approve', { id, askId, nonce, decision: 'deny' })).toMatchObject({ ok: true });
	expect(ran).toEqual(['1']);

	const device = createSigningDevice();
	device.trust(rig.home);
	const { input, seal } = await device.command(UPLINK_RUNNER, 'sessions.rename', { commandId: 'c1', id: 'a', title: 'signed' });
	const renamed = await call(hub, 'sessions.rename', input, seal);
	if (runs) expect(renamed).toMatchObject({ ok: true });
	else expect(renamed).toMatchObject({ error: { message: expect.stringContaining('expired by the clock of this runner') } });
	expect(ran).toEqual(runs ? ['1', 'signed'] : ['1']);

	await rig.append('b', 5);
	const own = rig.lines();
	await waitFor(async () => ((await hub.lines()).length >= own.length ? true : undefined), { what: 'the lines' });
	expect(await hub.lines()).toEqual(own);
	expect(hub.seen.map(({ line }) => line)).toEqual(own);
});

async function call({ node }: RealHub, name: string, input: Parts, seal?: CommandSeal) {
	const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = contract;
	const [resource = '', action = ''] = name.split('.');
	const operation = operations[resource]?.[action] ?? expect.fail(`no operation ${name}`);
	const runner = node.runner();
	let ids = 0;
	const { store, deliveries } = node;
	const forwarded = createForwarded(name, operation, {
		...{ runner, deliveries, rows: store.rows, now: node.now },
		mayCall: () => true,
		newId: () => `forwarded-${ids++}`,
	});
	const { params, query, body } = placeInput(operation, input);
	const principal = { name: 'lea', face: 'web' };
	const known = seal ? ({ via: 'device', device: seal.device } as const) : ({ via: 'token' } as const);
	return await forwarded.call({ params, query, body }, { ...known, principal, roles: [], address: '', origin: undefined, seal });
}
