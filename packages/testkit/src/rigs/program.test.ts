import { expect, it } from 'vitest';
import { endProcess, findProcessesWithEnv, isRunning, signal } from './live-processes.ts';
import { startProgram } from './program.ts';
import { createTempDir } from './temp-dir.ts';
import { waitFor } from './wait-for.ts';

const path = process.env.PATH ?? '';

it('passes the input, and returns the exit code and both outputs', async () => {
	await using directory = await createTempDir();
	await using program = await startProgram(['sh', '-c', 'cat; echo oops >&2; exit 3'], {
		cwd: directory.path,
		env: { PATH: path },
		input: 'words',
	});
	expect(await program.waitForExit(60_000)).toEqual({ code: 3, signal: null, stdout: 'words', stderr: 'oops\n' });
});

it('names a program that could not be started', async () => {
	await using directory = await createTempDir();
	await expect(startProgram(['no-such-program'], { cwd: directory.path, env: { PATH: path } })).rejects.toThrow(
		'spawn no-such-program ENOENT',
	);
});

it('kills a program that ignores SIGTERM, and the child it started', async () => {
	await using directory = await createTempDir();
	const script = 'trap "" TERM; sleep 600 & echo $!; wait; sleep 600';
	const program = await startProgram(['sh', '-c', script], { cwd: directory.path, env: { PATH: path, MARK: directory.path } });
	const child = await waitFor(() => /^(\d+)\n/.exec(program.output().stdout)?.[1], {
		what: 'the pid of the child',
	});
	expect(await findProcessesWithEnv(directory.path)).toContain(program.pid);
	await program.kill();
	expect(await isRunning(program.pid)).toBe(false);
	expect(await isRunning(Number(child))).toBe(false);
	expect(await findProcessesWithEnv(directory.path)).toEqual([]);
});

it('refuses to signal all processes or its own group', async () => {
	expect(() => signal(-1, 'SIGTERM')).toThrow('refusing to signal -1');
	await expect(endProcess(0)).rejects.toThrow('refusing to signal 0');
});
