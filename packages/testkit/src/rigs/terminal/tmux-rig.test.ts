import { describe, expect, it } from 'vitest';
import { findProcessesWithEnv, isRunning } from '../live-processes.ts';
import { cannotRun, program } from '../requirements.ts';
import { createTempDir } from '../temp-dir.ts';
import { createTmuxRig, type TmuxRig, toTmuxArgument } from './tmux-rig.ts';

const shellEnv = { PATH: process.env.PATH ?? '', PS1: '> ', LANG: 'C.UTF-8' };

describe.skipIf(cannotRun([program('tmux')]))('tmux rig', () => {
	it('types text literally, including key names, separators and substitutions', async () => {
		await using tmux = await createTmuxRig();
		const shell = await startCat(tmux);
		for (const text of ['C-c;$(x)', 'Enter', '-l -- "quoted"', 'ends in;', 'ends in \\;', 'größe ✓']) {
			await shell.type(text);
			await shell.key('Enter');
			await shell.waitForScreen((screen) => screen.split('\n').filter((line) => line === text).length === 2, 60_000);
		}
	});

	it('keeps sessions with a common prefix apart', async () => {
		await using tmux = await createTmuxRig();
		const billing = await startCat(tmux, 'billing');
		const bill = await startCat(tmux, 'bill');
		await bill.type('for bill only');
		await bill.waitForScreen(/for bill only/, 60_000);
		await bill.kill();
		await expect(bill.type('for nobody')).rejects.toThrow("can't find");
		await expect(bill.kill()).rejects.toThrow("can't find");
		expect((await billing.screen()).trim()).toBe('');
		expect(await isRunning(billing.pid)).toBe(true);
	});

	it('runs a shell with the given size, directory and environment, without TMUX variables', async () => {
		await using directory = await createTempDir();
		await using tmux = await createTmuxRig();
		const env = { ...shellEnv, HOME: directory.path, WORD: 'a b;' };
		const shell = await tmux.start(['sh'], { env, cwd: directory.path, cols: 90, rows: 20 });
		await shell.type('stty size; pwd; env | grep -c TMUX; echo "[$WORD]"');
		await shell.key('Enter');
		const screen = await shell.waitForScreen(/^\[a b;\]$/m, 60_000);
		expect(screen).toContain(`20 90\n${directory.path}\n0\n`);
	});

	it('reports the last screen when the expected one does not appear', async () => {
		await using tmux = await createTmuxRig();
		const shell = await startCat(tmux);
		await shell.type('something else');
		await shell.waitForScreen(/something else/, 60_000);
		await expect(shell.waitForScreen(/the answer/, 100)).rejects.toThrow(/the answer.*seen last: \nsomething else/);
	});

	it('leaves no process behind, not even one that ignores SIGHUP and SIGTERM', async () => {
		await using directory = await createTempDir();
		const tmux = await createTmuxRig();
		const env = { ...shellEnv, MARK: directory.path };
		const stubborn = await tmux.start(['sh', '-c', 'trap "" HUP TERM; echo up; while :; do sleep 1; done'], {
			env,
			cwd: directory.path,
		});
		await stubborn.waitForScreen(/up/, 60_000);
		await tmux[Symbol.asyncDispose]();
		await tmux[Symbol.asyncDispose]();
		expect(await isRunning(stubborn.pid)).toBe(false);
		expect(await findProcessesWithEnv(directory.path)).toEqual([]);
	});
});

function startCat(tmux: TmuxRig, name?: string) {
	return tmux.start(['cat'], { env: shellEnv, cwd: '/', ...(name === undefined ? {} : { name }) });
}

it('escapes only a final semicolon for tmux', () => {
	expect(['a;b', 'a;', ';', 'a\\;', 'a'].map(toTmuxArgument)).toEqual(['a;b', 'a\\;', '\\;', 'a\\\\;', 'a']);
});
