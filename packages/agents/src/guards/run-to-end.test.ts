import { endProcessesWithEnv, findProcessesWithEnv } from '@roost/testkit/rigs/live-processes';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { runToEnd } from './run-to-end.ts';

describe('a program that should end by itself', () => {
	it('is told by its exit code and its last words', async () => {
		await using world = await openWorld();
		expect(await world.run('echo one; echo two >&2; exit 3')).toMatch(/^it ended with 3: (one\ntwo|two\none)$/);
		expect(await world.run('true')).toBe('it ended with 0');
	});

	it('is not waited for where it has left somebody behind who never lets go', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		// Long enough for a shell to have ended, on a machine with much to do.
		const said = await world.run('setsid sleep 600 & echo gone', { timeLimitMs: 3_000 });
		expect(said).toBe('it took too long; it ended with 0: gone');
	});

	it('is ended with what it started when nobody wants it any more', { timeout: 120_000 }, async () => {
		await using world = await openWorld();
		const stopped = new AbortController();
		const how = world.run('sleep 600 & wait', { signal: stopped.signal });
		await waitFor(async () => ((await world.running()).length === 2 ? true : undefined), {
			what: 'it to run',
		});
		stopped.abort();
		expect(await how).toBe('it was stopped; it ended with SIGTERM');
		await waitFor(async () => ((await world.running()).length === 0 ? true : undefined), {
			what: 'nothing to run',
		});
		expect(await world.run('sleep 600', { signal: stopped.signal })).toBe('it was stopped; it ended with SIGTERM');
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
		run: (script: string, over: { timeLimitMs?: number; signal?: AbortSignal } = {}) =>
			runToEnd(['/bin/sh', '-c', script], { cwd: path, env, timeLimitMs: 15_000, ...over }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
