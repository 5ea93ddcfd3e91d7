// Guard proofs: who made them, how long they are valid, and what invalidates them.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CanaryResult } from '@roost/agents/guards/canary';
import { createAgentPrograms } from '@roost/home/programs/agent-programs';
import { openKeptProofs } from '@roost/home/programs/known-proofs';
import { guardWords } from '@roost/protocol/api/agents';
import { CODER } from '@roost/testkit/rigs/agents/scripted-agents';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createGuardProofs } from './prove-here.ts';

const GUARDED: CanaryResult = { guarded: true };
const BLOCKED = 'permission hook tested on this machine: blocked a call';
const ASLEEP: CanaryResult = { guarded: false, reason: 'the guard\nslept \u001b[31m' };

describe('guard that fired', () => {
	it('is tested once for all callers, and not again after a restart', async () => {
		await using world = await openWorld();
		expect(await world.known()).toBe('permission hook not tested on this machine');
		expect(await Promise.all([world.prove(), world.prove()])).toEqual([BLOCKED, BLOCKED]);
		expect(await world.prove()).toBe(BLOCKED);
		world.startAnew();
		expect([await world.known(), await world.prove()]).toEqual([BLOCKED, BLOCKED]);
		expect(world.starts()).toBe(1);
	});

	it('is tested again on request', async () => {
		await using world = await openWorld();
		await world.prove();
		expect(await world.prove({ again: true })).toBe(BLOCKED);
		expect(world.starts()).toBe(2);
	});

	it('counts as untested with another program, another environment, or another file', async () => {
		await using world = await openWorld();
		await world.prove();
		await world.write('coder 2.0.1');
		expect(await world.known()).toBe('permission hook not tested on this machine');
		await world.prove();
		world.env.SIMPLE = '1';
		expect(await world.known()).toBe('permission hook not tested on this machine');
		delete world.env.SIMPLE;
		world.env.TERM = 'another';
		expect(await world.known()).toBe(BLOCKED);
		await writeFile(world.file, '{"coder":{"key":1}}');
		world.startAnew();
		expect(await world.known()).toBe('permission hook not tested on this machine');
		expect(await world.prove()).toBe(BLOCKED);
	});

	it('fails if the program changed during the test', async () => {
		await using world = await openWorld(async () => {
			await world.write('coder 3.0.0');
			return GUARDED;
		});
		expect(await world.prove()).toBe('permission hook test failed: its program changed during the test: try again');
		expect(await world.known()).toBe('permission hook not tested on this machine');
	});

	it('stores no secret of the environment in the file', async () => {
		await using world = await openWorld();
		world.env.KEY = 'hush';
		await world.prove();
		expect(await readFile(world.file, 'utf8')).not.toContain('hush');
	});
});

describe('guard that did not fire', () => {
	it('reports its reason in one line, and is tested again at the next start', async () => {
		const outcomes = [ASLEEP, GUARDED];
		await using world = await openWorld(async () => outcomes.shift() ?? ASLEEP);
		expect(await world.prove()).toMatch(/^permission hook test failed: the guard slept [^\p{Cc}]*$/u);
		expect(await world.known()).toMatch(/^permission hook test failed: the guard slept/);
		expect(await world.prove()).toBe(BLOCKED);
	});

	it('is tested once for all waiting callers', async () => {
		let at = 0;
		const { promise, resolve } = Promise.withResolvers<CanaryResult>();
		await using world = await openWorld(
			() => promise,
			() => at++,
		);
		const all = [world.prove(), world.prove(), world.prove()];
		resolve(ASLEEP);
		for (const words of await Promise.all(all)) expect(words).toContain('test failed');
		expect(world.starts()).toBe(1);
	});
});

it('fails with advice if the program is too old', async () => {
	await using world = await openWorld();
	await world.write('coder 1.0.0');
	expect(await world.known()).toBe('permission hook not tested on this machine');
	expect(unwrapError(await world.proofs().prove(CODER)).message).toContain('is too old');
	expect(world.starts()).toBe(0);
});

it('aborts a running test with the runner, without a result', async () => {
	const started = Promise.withResolvers<void>();
	await using world = await openWorld(async (signal) => {
		started.resolve();
		const { promise, resolve } = Promise.withResolvers<CanaryResult>();
		signal.addEventListener('abort', () => resolve(GUARDED));
		return await promise;
	});
	const proven = world.prove();
	await started.promise;
	await world.proofs()[Symbol.asyncDispose]();
	expect(await proven).toContain('test failed');
	world.startAnew();
	expect(await world.known()).toBe('permission hook not tested on this machine');
});

async function openWorld(
	outcome: (signal: AbortSignal) => Promise<CanaryResult> = async () => GUARDED,
	now: () => number = Date.now,
) {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const program = join(path, 'coder');
	const file = join(path, 'proofs.json');
	const env: Record<string, string> = { PATH: path };
	const programs = stack.use(createAgentPrograms({ env, agents: {} }));
	let starts = 0;
	const open = () =>
		createGuardProofs({
			programs,
			environments: () => env,
			kept: openKeptProofs(file),
			proveOnce(_, argv, signal) {
				starts++;
				expect(argv).toEqual([program]);
				return outcome(signal);
			},
			now,
			warn: (sentence) => expect.fail(sentence),
		});
	const write = async (says: string) => {
		await writeFile(program, `#!/bin/sh\necho "${says}"\n`);
		await chmod(program, 0o755);
	};
	await write('coder 2.0.0');
	let proofs = open();
	const owned = stack.move();
	return {
		env,
		file,
		write,
		starts: () => starts,
		proofs: () => proofs,
		startAnew() {
			proofs = open();
		},
		known: async () => guardWords(await proofs.known(CODER)),
		prove: async (options?: { again: boolean }) => guardWords(unwrap(await proofs.prove(CODER, options)).proof),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
