import { isRunning } from '@roost/testkit/rigs/live-processes';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { type ProcessEnd, startLineProcess } from './line-process.ts';
import { realTimers, type Timers } from './timers.ts';

async function play(program: string, options: { argv?: [string, ...string[]]; timers?: Timers } = {}) {
	const temp = await createTempDir();
	const lines: string[] = [];
	const oversize: string[] = [];
	const ends: ProcessEnd[] = [];
	const pids: number[] = [];
	const child = startLineProcess({
		argv: options.argv ?? [process.execPath, '-e', program],
		cwd: temp.path,
		env: { PATH: process.env.PATH ?? '', MARK: 'seen' },
		timers: options.timers ?? realTimers,
		onSpawned: (pid) => pids.push(pid),
		onLine: (line) => lines.push(line),
		onOversize: (head) => oversize.push(head),
		onEnd: (end) => ends.push(end),
	});
	const until = <T>(fact: () => T | undefined | Promise<T | undefined>, what: string) =>
		waitFor(fact, { what, seen: () => lines });
	return {
		child,
		lines,
		oversize,
		ends,
		pids,
		until,
		ended: () => until(() => ends[0], 'the process to exit'),
		async [Symbol.asyncDispose]() {
			child.end(0);
			await until(() => ends[0], 'the process to exit');
			await temp[Symbol.asyncDispose]();
		},
	};
}

describe('line process', () => {
	it('is read line by line, including a last line without a newline', async () => {
		await using run = await play(`process.stdout.write('one\\n\\u2028two\\nthr'); process.stdout.write('ee')`);
		expect(await run.ended()).toEqual({ type: 'exit', code: 0, signal: null });
		expect(run.lines).toEqual(['one', '\u2028two', 'three']);
		expect(run.pids).toHaveLength(1);
	});

	it('receives input, and has only the given environment', async () => {
		await using run = await play(
			`process.stdin.on('data', (d) => console.log(d.toString().trim(), process.env.MARK, process.env.HOME))`,
		);
		expect(run.child.write('hello')).toBe(true);
		expect(await run.until(() => run.lines[0], 'an answer')).toBe('hello seen undefined');
	});

	it('skips a line that is too long, and continues after it', async () => {
		await using run = await play(`process.stdout.write('x'.repeat(9 * 1024 * 1024) + '\\nafter\\n')`);
		await run.ended();
		expect(run.oversize).toHaveLength(1);
		expect(run.lines).toEqual(['after']);
	});

	it('keeps the end of its stderr', async () => {
		await using run = await play(`process.stderr.write('y'.repeat(5000) + 'last words'); process.exit(3)`);
		expect(await run.ended()).toEqual({ type: 'exit', code: 3, signal: null });
		expect(run.child.complaint()).toMatch(/^y{1990}last words$/);
		expect(run.child.write('too late')).toBe(false);
	});

	it('reports a missing program', async () => {
		await using run = await play('', { argv: ['/nowhere/agent'] });
		expect(await run.ended()).toMatchObject({ type: 'not-started', message: expect.stringContaining('ENOENT') });
		expect(run.pids).toEqual([]);
	});

	it('is killed if it does not exit', async () => {
		const quick: Timers = { after: (ms, run) => realTimers.after(ms / 100, run) };
		await using run = await play(
			`process.on('SIGTERM', () => console.log('no')); console.log('up'); setInterval(() => {}, 1000)`,
			{
				timers: quick,
			},
		);
		await run.until(() => run.lines[0], 'the process to start');
		run.child.end(0);
		expect(await run.ended()).toEqual({ type: 'exit', code: null, signal: 'SIGKILL' });
		expect(run.lines[0]).toBe('up');
	});

	it('ends even if a child keeps its output open', async () => {
		await using run = await play(
			`const c = require('child_process').spawn('sleep', ['30'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true });
			c.unref(); console.log(c.pid); process.exit(0)`,
		);
		expect(await run.ended()).toMatchObject({ type: 'exit', code: 0 });
		process.kill(Number(run.lines[0]), 'SIGKILL');
	});
});

describe('process behind a launcher', () => {
	it('ends with its launcher, even if it ignores closed pipes', async () => {
		await using run = await play('', { argv: ['sh', '-c', 'sleep 600 </dev/null & echo $!; wait'] });
		const pid = Number(await run.until(() => run.lines[0], 'the program to start'));
		expect(await isRunning(pid)).toBe(true);
		run.child.end(0);
		await run.until(async () => ((await isRunning(pid)) ? undefined : true), 'the program to exit');
		expect(await run.ended()).toEqual({ type: 'exit', code: null, signal: 'SIGTERM' });
	});
});
