// A runner's uplink and the hub's own link server over a bad network: the hub's copy is the record, byte for byte and in order.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RealHub, startRealHub } from '../rigs/hub/real-hub.ts';
import { sampleLog } from '../rigs/hub/sample-log.ts';
import { connectRunner, RUNNER_KEY } from '../rigs/hub/scripted-runner.ts';
import { openUplinkRig, type UplinkRig } from '../rigs/hub/uplink-rig.ts';
import { type Seeded, seededChoices } from '../rigs/seeded.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { pause } from '../rigs/wait-for.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const CUTS = SOAK ? 1_000 : 30;
const WINDOWS = SOAK ? 2_000 : 60;
const CHAOS_MS = SOAK ? 20_000 : 1_000;
const HEARTBEAT_MS = 60;

describe('connection between a runner and a hub', { timeout: 1_200_000 }, () => {
	it('that is closed, reset or half open at random moments loses, doubles and reorders nothing', async () => {
		await using world = await openWorld('hub cuts', 7);
		const { hub, rig, random } = world;
		for (let cut = 0; cut < CUTS; cut += 1) {
			await rig.append(`s${random.below(4)}`, 1 + random.below(60));
			if (random.below(3) > 0) await rig.until('connected');
			await pause(random.below(12));
			hub.proxy.cut(random.pick(['close', 'reset', 'half-open']));
		}
		await expectSame(world);
	});

	it('that delays and splits everything, and is cut meanwhile, loses, doubles and reorders nothing', async () => {
		await using world = await openWorld('hub chaos', 8);
		const { hub, rig, random } = world;
		hub.proxy.faults = { mostDelayMs: 15, splits: true };
		for (const end = performance.now() + CHAOS_MS; performance.now() < end; ) {
			await rig.append(`s${random.below(4)}`, 1 + random.below(30));
			if (random.below(20) === 0) hub.proxy.cut(random.pick(['close', 'reset', 'half-open']));
			await pause(random.below(20));
		}
		hub.proxy.faults = { mostDelayMs: 0, splits: false };
		await expectSame(world);
	});

	it('on which batches are doubled and reordered stores each line once, and answers a gap with where to go on', async () => {
		const random = seededChoices('hub batches', 9);
		await using directory = await createTempDir();
		await using hub = await startRealHub({ path: join(directory.path, 'hub.db'), random });
		await using runner = await connectRunner(hub.directUrl);
		const sessions = Array.from({ length: WINDOWS * 8 }, () => `s${random.below(5)}`);
		const lines = await sampleLog('runner-1', sessions);
		for (let at = 0; at < lines.length; ) {
			const batches: (typeof lines)[] = [];
			for (let from = at; batches.length < 4 && from < lines.length; ) {
				const batch = lines.slice(from, from + 1 + random.below(4));
				batches.push(batch);
				from += batch.length;
			}
			// As a network that repeats and swaps would deliver them; then as the runner sends them again.
			for (let mixed = random.below(4); mixed > 0; mixed -= 1) runner.append(batches[random.below(batches.length)] ?? []);
			for (const batch of batches) runner.append(batch);
			at = batches.at(-1)?.at(-1)?.seqNo ?? at;
			await runner.acknowledged(at);
		}
		expect(await hub.lines()).toEqual(lines.map(({ line }) => line));
		expect(hub.seen.map(({ line }) => line)).toEqual(lines.map(({ line }) => line));
		expect(runner.closed()).toBeUndefined();
	});
});

type World = AsyncDisposable & { hub: RealHub; rig: UplinkRig; random: Seeded };

async function openWorld(what: string, seed: number): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const random = seededChoices(what, SOAK ? Date.now() % 1_000_000 : seed);
	const { path } = stack.use(await createTempDir());
	const limits = { heartbeatMs: HEARTBEAT_MS };
	const hub = stack.use(await startRealHub({ path: join(path, 'hub.db'), random, limits }));
	const config = { heartbeatIntervalMs: HEARTBEAT_MS };
	const rig = stack.use(await openUplinkRig(hub, { key: RUNNER_KEY, config }));
	const owned = stack.move();
	return { hub, rig, random, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function expectSame({ hub, rig }: World): Promise<void> {
	const own = rig.lines();
	await hub.has(own);
	expect((await hub.lines()).join('\n') === own.join('\n')).toBe(true);
	expect(hub.seen.map(({ line }) => line).join('\n') === own.join('\n')).toBe(true);
	expect(hub.seen.map(({ seqNo }) => seqNo)).toEqual(own.map((_, at) => at + 1));
	const sessions = unwrap(await hub.node.store.rows.sessions(hub.node.runner().id, {}));
	expect(sessions).toEqual(expect.arrayContaining(unwrap(rig.store.sessions())));
	expect(unwrap(rig.store.verify())).toMatchObject({ intact: true });
}
