import { endProcessesWithEnv, findProcessesWithEnv } from '@roost/testkit/rigs/live-processes';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { type RunOptions, runProgram } from './run-program.ts';

describe('runProgram', () => {
	it('passes the input, and returns both outputs and the exit code', async () => {
		await using world = await openWorld();
		const exit = unwrap(await world.run('cat; echo one; echo two >&2; exit 3', { input: 'given\n' }));
		expect(exit).toEqual({ code: 3, signal: null, stdout: 'given\none\n', stderr: 'two\n', stopped: null });
		expect(unwrap(await world.run('cat'))).toMatchObject({ code: 0, stdout: '' });
	});

	it('does not wait for a descendant that keeps its output open', async () => {
		await using world = await openWorld();
		expect(unwrap(await world.run('setsid sleep 600 & echo gone'))).toMatchObject({ code: 0, stdout: 'gone\n', stopped: null });
	});

	it('kills the program and its descendants on timeout', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		const exit = unwrap(await world.run('trap "" TERM; sleep 600 & wait; wait', { limitMs: 500 }));
		expect(exit).toMatchObject({ signal: 'SIGKILL', stopped: 'timeout' });
		await world.isEmpty();
	});

	it('ends the program and its descendants on abort', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		const stopped = new AbortController();
		const { signal } = stopped;
		const ended = world.run('sleep 600 & wait', { signal });
		await waitFor(async () => (await world.running()).length === 2 || undefined, { what: 'it to run' });
		stopped.abort();
		expect(unwrap(await ended)).toMatchObject({ signal: 'SIGTERM', stopped: 'aborted' });
		await world.isEmpty();
		expect(unwrap(await world.run('sleep 600', { signal }))).toMatchObject({ signal: 'SIGTERM', stopped: 'aborted' });
	});

	it('reports a missing program', async () => {
		const { pid, ended } = runProgram(['/no/such/program'], { env: {}, limitMs: 60_000 });
		expect([pid, unwrapError(await ended).message]).toEqual([undefined, expect.stringMatching(/^\/no\/such\/program cannot be/)]);
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	stack.defer(() => endProcessesWithEnv(path));
	const env = { PATH: process.env.PATH ?? '', HOME: path };
	const owned = stack.move();
	return {
		running: () => findProcessesWithEnv(path),
		isEmpty: () => waitFor(async () => (await findProcessesWithEnv(path)).length === 0 || undefined, { what: 'nothing to run' }),
		run: (script: string, over: Partial<RunOptions> = {}) =>
			runProgram(['/bin/sh', '-c', script], { cwd: path, env, limitMs: 15_000, ...over }).ended,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
