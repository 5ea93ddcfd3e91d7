// A long session in a real terminal: shows its newest event first, reacts to keys at once, and loads its first event in the end.
import { playRunner } from '@roost/testkit/rigs/api/test-gateway';
import { KEYS, openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { expect, it } from 'vitest';

const EVENTS = process.env.ROOST_SOAK === '1' ? 100_000 : 8_000;
const STEP = 2_000;

it('opens a long session at its newest event, responds to keys and scrolls to the first event', {
	timeout: 180_000,
}, async () => {
	await using runner = await playRunner();
	for (let stored = 0; stored < EVENTS; stored += STEP) await runner.world.store('s1', STEP);
	await using tui = openTui({ cwd: runner.folder, env: runner.env });
	const early = await tui.waitForScreen(new RegExp(`do thing ${EVENTS}$`, 'm'), 60_000);
	expect(early).not.toMatch(/do thing 1$/m);
	tui.type('?');
	await tui.waitForScreen(/── Help/);
	tui.type(KEYS.escape);
	const whole = (screen: string) => !screen.includes('── Help') && !screen.includes('reading the record');
	await tui.waitForScreen(whole, 120_000);
	// Older events were loaded without moving the visible ones.
	expect(tui.terminal.text()).toMatch(new RegExp(`do thing ${EVENTS}$`, 'm'));
	tui.type('g');
	await tui.waitForScreen(/do thing 1$/m);
	tui.type('G');
	await tui.waitForScreen(new RegExp(`do thing ${EVENTS}$`, 'm'));
});
