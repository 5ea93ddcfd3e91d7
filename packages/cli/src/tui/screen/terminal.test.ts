import { join } from 'node:path';
import { inlineArgv } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { openTuiInTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { STOP_TAKES_MS } from './terminal.ts';

/** Takes over the terminal, prints "taken", and then runs `end`. */
function program(end: string): readonly [string, ...string[]] {
	return inlineArgv(`
		import { execFileSync } from 'node:child_process';
		import { takeTerminal } from ${JSON.stringify(join(import.meta.dirname, 'terminal.ts'))};
		const { stdin, stdout } = process;
		let again = 0;
		const terminal = takeTerminal({ stdin, stdout, onBack: () => stdout.write('back') });
		stdin.on('data', () => { ${end} });
		stdout.write('taken');
	`);
}

describe('terminal takeover', () => {
	it.each([
		['an uncaught exception', `throw new Error('a bug')`, /Error: a bug/],
		['an unhandled rejection', `Promise.reject(new Error('a bug'))`, /Error: a bug/],
		['process.exit', `process.exit(3)`, /^\n?$/],
		['normal disposal', `stdin.pause(); terminal[Symbol.dispose]()`, /^\n?$/],
	])('restores the terminal after %s and keeps final output readable', async (_, end, message) => {
		await using temp = await createTempDir();
		await using tui = openTui({ cwd: temp.path, env: {}, argv: program(end) });
		await tui.waitForScreen(/taken/);
		tui.type('x');
		await tui.waitForExit();
		await tui.terminal.settled();
		expect(tui.terminal.modes()).toEqual({ alternateScreen: false, bracketedPaste: false, mouse: false });
		expect(tui.terminal.cursor().shown).toBe(true);
		expect(tui.terminal.text()).toMatch(message);
		expect(tui.terminal.text()).not.toContain('taken');
	});

	it('acquires the terminal again after SIGSTOP and SIGCONT', async () => {
		await using temp = await createTempDir();
		const shell = `if (again++) stdout.write('heard'); else { execFileSync('stty', ['sane'], { stdio: 'inherit' }); stdout.write('changed'); }`;
		const env = { PATH: process.env.PATH ?? '' };
		await using tui = openTui({ cwd: temp.path, env, argv: program(shell) });
		await tui.waitForScreen(/taken/);
		tui.type('x');
		await tui.waitForScreen(/changed/);
		tui.signal('SIGSTOP');
		tui.signal('SIGCONT');
		await tui.waitForScreen(/back/);
		tui.type('x');
		await tui.waitForScreen(/heard/);
		expect(tui.terminal.modes()).toEqual({ alternateScreen: true, bracketedPaste: true, mouse: true });
	});

	it('does not acquire the terminal again if disposed right after a suspend', async () => {
		await using temp = await createTempDir();
		// Timers with the same delay fire in order: this one right after the one that would take over again.
		const leave = `terminal.suspend(); terminal[Symbol.dispose](); setTimeout(() => stdout.write('left'), ${STOP_TAKES_MS})`;
		await using tui = openTui({ cwd: temp.path, env: {}, argv: program(leave) });
		await tui.waitForScreen(/taken/);
		tui.type('x');
		await tui.waitForScreen(/left/);
		expect(tui.terminal.modes().alternateScreen).toBe(false);
	});

	it('reports the terminal as not owned while suspended', async () => {
		await using temp = await createTempDir();
		const styles = `const before = terminal.isOurs(); terminal.suspend(); stdout.write(before + ' then ' + terminal.isOurs())`;
		await using tui = openTui({ cwd: temp.path, env: {}, argv: program(styles) });
		await tui.waitForScreen(/taken/);
		tui.type('x');
		await waitFor(() => (tui.bytes().includes('true then false') ? true : undefined), {
			what: 'both answers',
		});
		await tui.waitForScreen(/back/);
	});

	it('leaves nothing on the screen of a tmux that was enlarged while it ran', async () => {
		const fill = `for (let line = 1; line <= stdout.rows; line += 1) stdout.write('\\x1b[' + line + 'H' + 'ours'.padEnd(stdout.columns, '.')); process.exit()`;
		const inside = ['sh', '-c', 'echo before; "$@"; echo after; cat', 'sh', ...program(fill)] as const;
		await using tui = await openTuiInTmux(inside);
		await tui.waitForScreen(/taken/);
		tui.resize(130, 40);
		await tui.waitForScreen(() => (tui.screen().at(-1) ?? '').startsWith('[0]'));
		tui.type('x');
		expect(await tui.waitForScreen(/after/)).toMatch(/^before\nafter\n/);
	});

	it('does not wrap text beyond the right edge into another line', async () => {
		await using temp = await createTempDir();
		await using tui = openTui({
			cwd: temp.path,
			env: {},
			columns: 10,
			rows: 3,
			argv: program(`stdout.write('0123456789overflow')`),
		});
		await tui.waitForScreen(/taken/);
		tui.type('x');
		await tui.waitForScreen(/w$/m);
		expect(tui.screen().slice(1)).toEqual(['', '']);
	});
});
