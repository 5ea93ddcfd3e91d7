import { describe, expect, it } from 'vitest';
import { isRunning } from '../live-processes.ts';
import { createTempDir } from '../temp-dir.ts';
import { KEYS, openTui } from './tui-rig.ts';

const ECHO = `
	process.stdin.setRawMode(true);
	process.stdout.write('\\x1b[?1049h\\x1b[1;31mready\\x1b[0m ' + process.stdout.columns + 'x' + process.stdout.rows);
	process.stdin.on('data', (bytes) => {
		if (bytes.toString() === 'q') process.exit(7);
		process.stdout.write('\\r\\n' + JSON.stringify(bytes.toString()));
	});
	process.on('SIGWINCH', () => process.stdout.write('\\r\\n' + process.stdout.getWindowSize().join('x')));
`;

describe('TUI rig', () => {
	it('types into a real terminal and reads the screen, its modes and its colours', async () => {
		await using temp = await createTempDir();
		await using tui = openTui({ cwd: temp.path, env: {}, columns: 50, rows: 10, argv: [process.execPath, '-e', ECHO] });
		await tui.waitForScreen(/ready 50x10/);
		expect(tui.terminal.modes()).toEqual({ alternateScreen: true, bracketedPaste: false, mouse: false });
		expect(tui.terminal.styledScreen()[0]?.[0]).toMatchObject({ text: 'ready', column: 0, style: { foreground: 1, bold: true } });
		tui.type(KEYS.up);
		await tui.waitForScreen(/"\\u001b\[A"/);
		expect(tui.screen()[1]).toBe('"\\u001b[A"');
		expect(tui.bytes()).toContain('ready');
		tui.resize(60, 12);
		await tui.waitForScreen(/60x12/);
		tui.type('q');
		expect(await tui.waitForExit()).toEqual({ code: 7, signal: 0 });
	});

	it('leaves no process behind', async () => {
		await using temp = await createTempDir();
		const tui = openTui({ cwd: temp.path, env: {}, argv: [process.execPath, '-e', ECHO] });
		await tui.waitForScreen(/ready/);
		await tui[Symbol.asyncDispose]();
		expect(await isRunning(tui.pid)).toBe(false);
	});

	it('fails with the last screen on timeout', async () => {
		await using temp = await createTempDir();
		await using tui = openTui({ cwd: temp.path, env: {}, argv: [process.execPath, '-e', ECHO] });
		await tui.waitForScreen(/ready/);
		await expect(tui.waitForScreen(/never/, 50)).rejects.toThrow(/fits \/never\/; seen last: \nready/);
	});
});
