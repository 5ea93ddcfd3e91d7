// Much at once at a hub: a long backfill beside a live runner, all runners that reconnect together, and a face that does not read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHubWorld } from '../rigs/hub/hub-world.ts';
import { startRealHub } from '../rigs/hub/real-hub.ts';
import { sampleLog, sampleRunner } from '../rigs/hub/sample-log.ts';
import { connectRunner, RUNNER_KEY } from '../rigs/hub/scripted-runner.ts';
import { openUplinkRig } from '../rigs/hub/uplink-rig.ts';
import { createSeeded } from '../rigs/seeded.ts';
import { createTempDir } from '../rigs/temp-dir.ts';
import { unwrap } from '../rigs/unwrap.ts';
import { waitFor } from '../rigs/wait-for.ts';

const SOAK = process.env.ROOST_SOAK === '1';
const EVENTS = SOAK ? 100_000 : 5_000;
const RUNNERS = SOAK ? 1_000 : 50;
const LONG_PROMPTS = SOAK ? 1_000 : 80;
const PAGE = 1_000;

describe('hub with much to do', { timeout: 1_200_000 }, () => {
	it('takes a long backfill whole, and beside it the lines of a live runner without waiting for its end', async () => {
		await using directory = await createTempDir();
		await using hub = await startRealHub({ path: join(directory.path, 'hub.db'), random: createSeeded(1) });
		unwrap(await hub.node.store.runners.pair(sampleRunner('runner-2', RUNNER_KEY.publicKey)));
		await using live = await connectRunner(hub.directUrl, { id: 'runner-2' });
		const lines = await sampleLog(
			'runner-2',
			Array.from({ length: SOAK ? 2_000 : 200 }, () => 'live'),
		);
		await using rig = await openUplinkRig(hub, { key: RUNNER_KEY, isPaired: false });
		for (let at = 0; at < EVENTS; at += PAGE) await rig.append(`s${(at / PAGE) % 7}`, PAGE);
		const own = rig.lines();
		rig.pair();
		const started = performance.now();
		let doneMs = 0;
		const filled = hub.has(own).then(() => {
			doneMs = performance.now() - started;
		});
		const waits: number[] = [];
		for (const line of lines) {
			const sentAt = performance.now();
			live.append([line]);
			await live.acknowledged(line.seqNo);
			waits.push(performance.now() - sentAt);
			if (doneMs > 0) break;
		}
		expect(doneMs === 0 || waits.length > 1).toBe(true);
		await filled;
		expect((await hub.lines()).join('\n') === own.join('\n')).toBe(true);
		expect(hub.node.runner('runner-2').lastSeqNo).toBe(waits.length);
		const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
		const rate = Math.round(EVENTS / (doneMs / 1_000));
		process.stdout.write(`hub backfill: ${EVENTS} lines at ${rate}/s; ${waits.length} live lines, p99 ${Math.round(p99)} ms\n`);
	});

	it('has every runner back after all of them lost their connection at once', async () => {
		await using directory = await createTempDir();
		await using hub = await startRealHub({ path: join(directory.path, 'hub.db'), random: createSeeded(2) });
		const ids = Array.from({ length: RUNNERS }, (_, at) => `runner-${at + 10}`);
		for (const id of ids) unwrap(await hub.node.store.runners.pair(sampleRunner(id, RUNNER_KEY.publicKey)));
		await using stack = new AsyncDisposableStack();
		const connect = async (id: string) => stack.use(await connectRunner(hub.directUrl, { id }));
		const first = await Promise.all(ids.map(connect));
		for (const runner of first) runner.cut();
		const started = performance.now();
		const again = await Promise.all(ids.map(connect));
		const backMs = Math.round(performance.now() - started);
		await waitFor(() => ids.every((id) => hub.node.runner(id).isOnline && hub.node.runner(id).links === 2) || undefined, {
			what: 'all runners to be online',
		});
		const lines = await sampleLog('runner-10', ['a', 'b']);
		again[0]?.append(lines);
		await again[0]?.acknowledged(2);
		expect(again.map((runner) => runner.closed()).filter((code) => code !== undefined)).toEqual([]);
		process.stdout.write(`hub storm: ${RUNNERS} runners are back after ${backMs} ms\n`);
	});

	it('keeps neither lines nor other faces for one that does not read, which misses nothing when it reads again', async () => {
		await using world = await openHubWorld();
		using slow = world.openFace();
		const begun = await world.agree();
		await waitFor(() => (slow.lines.length >= begun.length ? true : undefined), { what: 'the slow face to begin' });
		slow.pause();
		const before = memoryOf(world.hub.program.pid);
		for (let at = 0; at < LONG_PROMPTS; at += 1)
			await world.report({ hook_event_name: 'UserPromptSubmit', prompt: `${at} ${'long '.repeat(10_000)}` });
		const lines = await world.agree();
		const grown = memoryOf(world.hub.program.pid) - before;
		expect(slow.lines.length).toBeLessThan(lines.length);
		slow.resume();
		await waitFor(() => (slow.lines.length >= lines.length ? true : undefined), { what: 'the slow face to have all' });
		expect(slow.lines.join('\n') === lines.join('\n')).toBe(true);
		process.stdout.write(
			`hub with a face that does not read: ${LONG_PROMPTS} lines of 50 KB, ${Math.round(grown)} MB more memory\n`,
		);
	});
});

function memoryOf(pid: number): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
