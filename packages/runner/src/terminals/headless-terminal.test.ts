import { afterEach, expect, it, vi } from 'vitest';
import { createHeadlessTerminal } from './headless-terminal.ts';

afterEach(() => void vi.restoreAllMocks());

it('writes nothing to the console when it gets smaller on a busy machine', async () => {
	const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
	const lines = Buffer.from(`${'x'.repeat(200)}\r\n`.repeat(500));
	using terminal = createHeadlessTerminal({ cols: 200, rows: 24 }, { scrollbackLines: 500, onReply: () => {} });
	expect(terminal.read(lines)).toBe(true);
	let now = 0;
	vi.spyOn(performance, 'now').mockImplementation(() => {
		now += 100;
		return now;
	});
	terminal.resize({ cols: 20, rows: 24 });
	// The library's own timers were started before this one.
	await new Promise((resolve) => setTimeout(resolve, 1));
	expect(warn).not.toHaveBeenCalled();
});
