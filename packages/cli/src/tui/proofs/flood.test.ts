// Floods: two thousand events a second into the open session and into others, while the user types.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestBackend } from '@roost/testkit/rigs/api/test-backend';
import { playRunner } from '@roost/testkit/rigs/api/test-gateway';
import { KEYS, openTui, type TuiRig } from '@roost/testkit/rigs/tui/tui-rig';
import { describe, expect, it } from 'vitest';

const SECONDS = process.env.ROOST_SOAK === '1' ? 10 : 2;
const PER_SECOND = 2_000;
/** Shorter than a frame, so that the load is even. */
const STEP_MS = 4;
const FRAMES_PER_SECOND = 30;
const FRAME = '\x1b[?2026h';

describe('terminal UI under an event flood', () => {
	it('responds to keys, limits its frame rate and reaches both the last and the first event', { timeout: 120_000 }, async () => {
		await using runner = await playRunner();
		await runner.world.append('s1', 1);
		await using tui = openTui({ cwd: runner.folder, env: runner.env });
		await tui.waitForScreen(/live[\s\S]*do thing 1$/m);
		using flood = startFlood(runner.world, ['s1', 's2']);
		const framesBefore = framesOf(tui);
		await tui.waitForScreen(/do thing \d{3}/);
		tui.type('?');
		await tui.waitForScreen(/── Help/);
		tui.type(KEYS.escape);
		await tui.waitForScreen((screen) => !screen.includes('── Help'));
		const { sent, ms } = await flood.letEnd();
		await tui.waitForScreen((screen) => screen.includes(`do thing ${sent + 1}`));
		expect(framesOf(tui) - framesBefore).toBeLessThan(
			(FRAMES_PER_SECOND * (ms + performance.now() - flood.endedAt())) / 1_000 + 5,
		);
		tui.type('g');
		await tui.waitForScreen(/do thing 1$/m);
	});

	it('survives rapid resizing and shows the same screen as a fresh start at the final size', { timeout: 120_000 }, async () => {
		await using runner = await playRunner();
		await runner.world.append('s1', 1);
		await using tui = openTui({ cwd: runner.folder, env: runner.env });
		await tui.waitForScreen(/live[\s\S]*do thing 1$/m);
		using flood = startFlood(runner.world, ['s1']);
		const ended = flood.letEnd();
		for (let at = 0; !flood.isOver(); at += 1) {
			tui.resize(40 + ((at * 37) % 160), 8 + ((at * 13) % 50));
			await delay(5);
		}
		const { sent } = await ended;
		tui.resize(100, 30);
		await tui.waitForScreen((screen) => screen.includes(`do thing ${sent + 1}`));
		await using fresh = openTui({ cwd: runner.folder, env: runner.env, columns: 100, rows: 30 });
		const expected = await fresh.waitForScreen(
			(screen) => screen.includes(`do thing ${sent + 1}`) && !screen.includes('reading'),
		);
		expect(await tui.waitForScreen((screen) => screen === expected)).toBe(expected);
	});
});

/** The same load for each session, until its time is over and the test allows it to end. */
function startFlood(world: TestBackend, sessions: readonly string[]) {
	const started = performance.now();
	let mayEnd = false;
	let isStopped = false;
	let endedAt = 0;
	let sent = 0;
	async function run() {
		while (!isStopped && (!mayEnd || performance.now() - started < SECONDS * 1_000)) {
			const due = Math.floor(((performance.now() - started) / 1_000) * PER_SECOND) - sent;
			await Promise.all(sessions.map((session) => world.append(session, due)));
			sent += due;
			await delay(STEP_MS);
		}
		endedAt = performance.now();
		return { sent, ms: endedAt - started };
	}
	const done = run();
	return {
		isOver: () => endedAt > 0,
		endedAt: () => endedAt,
		letEnd() {
			mayEnd = true;
			return done;
		},
		[Symbol.dispose]() {
			isStopped = true;
		},
	};
}

function framesOf(tui: TuiRig): number {
	return tui.bytes().split(FRAME).length - 1;
}
