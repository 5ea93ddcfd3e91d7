// Starting an agent with a guard, and everything that may prevent it; the agent is a program in a real tmux, played by the test.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentAdapter, HooksDef } from '@roost/agents/base/types';
import type { GuardProof } from '@roost/protocol/api/agents';
import { AppError } from '@roost/protocol/app-error';
import { err, ok } from '@roost/protocol/result';
import type { FakeTuiScenario } from '@roost/testkit/fakes/fake-tui';
import { createFakeTuiAgent } from '@roost/testkit/rigs/agents/fake-tui-agent';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createOwnTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createStartGuarded, type GuardedStart } from './start-guarded.ts';

const GUARDED: GuardProof = { state: 'guarded', provenAt: 1 };
const LIMITS = { lookEveryMs: 20, calmMs: 60, keyMs: 400, startMs: 15_000, turnMs: 15_000 };

describe.skipIf(cannotRun([program('tmux')]))('guarded agent', { timeout: 120_000 }, () => {
	it('has its guard until it is killed, and its name is unique', async () => {
		await using world = await openWorld({});
		const [first, second] = await Promise.all([world.start(), world.start()]);
		const agent = unwrap(first);
		expect(unwrapError(second)).toMatchObject({ code: 'conflict', message: expect.stringContaining('"bee" already exists') });
		expect(unwrapError(await world.start()).code).toBe('conflict');
		expect(world.definitions).toMatchObject([{ agentName: 'bee', capability: 'scout', worktreePath: world.worktree }]);
		expect(existsSync(world.guard)).toBe(true);
		unwrap(await agent.kill());
		expect(existsSync(world.guard)).toBe(false);
		unwrap(await agent.kill());
		await using again = unwrap(await world.start());
		expect(again.mark).toBe('permission hook tested on this machine: blocked a call');
	});

	it('bypasses its own permission prompts only with a working guard', async () => {
		await using world = await openWorld({});
		await using _ = unwrap(await world.start());
		await using other = await openWorld({}, { proof: { state: 'not-guarded', provenAt: 1, reason: 'it slept.' } });
		await using marked = unwrap(await other.start({ guarded: false }));
		expect([world.modes, other.modes]).toEqual([['bypass'], ['ask']]);
		expect(marked.mark).toBe('permission hook test failed: it slept.');
		expect(unwrapError(await other.start({ name: 'ant' })).message).toMatch(
			/^Claude was not started: permission hook test failed: it slept\. Fix/,
		);
	});

	it('leaves no guard behind if it does not reach its prompt', async () => {
		await using world = await openWorld({ start: 'crash' });
		expect(unwrapError(await world.start()).message).toContain('exit code 3');
		expect(existsSync(world.guard)).toBe(false);
	});

	it.each<[string, Partial<GuardedStart>, RegExp]>([
		['an invalid name', { name: '../bee' }, /not a valid terminal name/],
		['a missing worktree', { worktree: '/nowhere/at/all' }, /not the absolute path of an existing folder/],
		['a relative path', { worktree: '.' }, /not the absolute path/],
	])('is not started with %s', async (_, over, words) => {
		await using world = await openWorld({});
		expect(unwrapError(await world.start(over)).message).toMatch(words);
		expect(world.definitions).toEqual([]);
	});

	it('is not started if it could change its own guard', async () => {
		await using world = await openWorld({});
		expect(unwrapError(await world.start({ worktree: world.directory })).message).toContain("contains Roost's own home");
	});

	it('is not started without a program, or if its guard cannot be deployed', async () => {
		await using world = await openWorld({}, { proof: new AppError('cannot_start', 'Install it.') });
		expect(unwrapError(await world.start({ guarded: false })).message).toBe('Install it.');
		await using other = await openWorld({}, { deploys: false });
		expect(unwrapError(await other.start({ guarded: false })).message).toBe('The guard of Claude cannot be deployed: no room.');
	});
});

type WorldOptions = { proof?: GuardProof | AppError; deploys?: boolean };

async function openWorld(scenario: Partial<FakeTuiScenario>, { proof = GUARDED, deploys = true }: WorldOptions = {}) {
	await using stack = new AsyncDisposableStack();
	const { tmux, directory } = stack.use(await createOwnTmux());
	const [dataDir, worktree] = [join(directory, 'roost'), join(directory, 'worktree')];
	await Promise.all([mkdir(dataDir), mkdir(worktree)]);
	const guard = join(dataDir, 'guards', 'bee', 'guard.json');
	const definitions: HooksDef[] = [];
	const modes: string[] = [];
	const fake = createFakeTuiAgent({ log: join(directory, 'heard'), ...scenario });
	const adapter: AgentAdapter = {
		...fake.adapter,
		id: 'claude',
		title: 'Claude',
		buildSpawnCommand(opts) {
			expect(opts.program).toEqual(['/opt/claude', '--mine']);
			modes.push(opts.permissionMode);
			return fake.adapter.buildSpawnCommand(opts);
		},
		async deployConfig(_, __, def) {
			if (!deploys) throw new Error('no room');
			definitions.push(def);
			await mkdir(def.stateDir, { recursive: true });
			const path = join(def.stateDir, 'guard.json');
			await writeFile(path, '');
			return { argv: [], env: {}, files: [path], remove: () => rm(path, { force: true }) };
		},
	};
	const start = createStartGuarded({
		tmux,
		limits: LIMITS,
		proofs: { prove: async () => (proof instanceof AppError ? err(proof) : ok({ proof, argv: ['/opt/claude', '--mine'] })) },
		env: { PATH: process.env.PATH },
		config: { agents: {}, runtime: {} },
		dataDir,
		adapterOf: () => ok(adapter),
	});
	const owned = stack.move();
	return {
		directory,
		worktree,
		guard,
		definitions,
		modes,
		start: (over: Partial<GuardedStart> = {}) =>
			start({ name: 'bee', agent: 'claude', model: 'sonnet', worktree, capability: 'scout', guarded: true, ...over }),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
