// The real Codex under its guard, in a linked worktree: what it may not do it cannot, and a commit is possible.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns, type Turn } from '@roost/testkit/fakes/script';
import { codexWords, openCodexRig, toPatch } from '@roost/testkit/rigs/codex-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { describe, expect, it } from 'vitest';
import { proveGuard } from '../guards/canary.ts';
import { readGuardLog } from '../guards/guard-log.ts';
import type { HooksDef } from '../types.ts';
import { codexCanary } from './canary.ts';
import { createCodexRuntime } from './codex-runtime.ts';

const DEADLINE_MS = 60_000;

/** Nothing but the guard and the sandbox stand in the agent's way: it asks nobody. */
async function openWorld(capability: string, turns: readonly Turn[] = []) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await openCodexRig({ script: scriptTurns(...turns) }));
	const worktree = join(dirname(rig.project), 'worktree');
	execFileSync('git', ['worktree', 'add', '-q', '-b', 'agent/bee/work', worktree], { cwd: rig.project, env: rig.env });
	await mkdir(join(worktree, '.codex'));
	await writeFile(join(worktree, '.codex/config.toml'), 'sandbox_mode = "danger-full-access"\n[features]\nhooks = false\n');
	const def: HooksDef = { agentName: 'bee', capability, worktreePath: worktree, stateDir: join(dirname(rig.home), 'state') };
	const deployed = await createCodexRuntime().deployConfig(worktree, { content: 'You are bee.' }, def);
	const env = { ...rig.env, ...deployed.env };
	const run = async () => {
		await using program = await startProgram([rig.binary, 'exec', '--skip-git-repo-check', ...deployed.argv, '--', 'go'], {
			cwd: worktree,
			env,
		});
		return await program.waitForExit(DEADLINE_MS);
	};
	const prove = async (argv = deployed.argv) =>
		await proveGuard({ agent: codexCanary, program: [rig.binary], def, deployed: { ...deployed, argv }, env: rig.env });
	/** What the model heard of its calls, in order. */
	const heard = () => rig.requests.slice(1).map((request) => request.toolResults.map((result) => result.text).join('\n'));
	const has = (name: string) => existsSync(join(worktree, name));
	const owned = stack.move();
	return { rig, worktree, def, deployed, run, prove, heard, has, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('the real codex under its guard', () => {
	it('as a scout writes nothing and hands nothing on, and still reads', async () => {
		await using world = await openWorld('scout', [
			[codexWords.write('made', 'x\n')],
			[codexWords.shell('rm README.md')],
			[codexWords.shell('cat README.md; echo x > made')],
			[codexWords.read('README.md')],
			[say('done')],
		]);
		expect(await world.run()).toMatchObject({ code: 0, stdout: 'done\n' });
		expect([world.has('README.md'), world.has('made')]).toEqual([true, false]);
		const heard = world.heard();
		for (const result of heard.slice(0, 3)) expect(result).toContain("Roost's guard refused");
		expect(heard[3]).toContain('# A project');
		expect(JSON.stringify(world.rig.requests[0]?.body)).toContain('You are bee.');
		expect((await readGuardLog(world.def.stateDir)).map((line) => [line.tool, line.allowed])).toEqual([
			['Write', false],
			['Bash', false],
			['Bash', false],
			['Bash', true],
		]);
	}, 60_000);

	it('as a builder writes and commits in its worktree, and changes nothing beside it', async () => {
		const outside = toPatch([
			{ add: 'fine', text: 'x' },
			{ add: '../outside', text: 'x' },
		]);
		await using world = await openWorld('builder', [
			[codexWords.write('made', 'x\n')],
			[callTool('apply_patch', { input: outside })],
			[codexWords.shell('git add made && git commit -qm "Make it"')],
			[codexWords.shell('git push')],
			[say('done')],
		]);
		expect(await world.run()).toMatchObject({ code: 0, stdout: 'done\n' });
		expect([world.has('made'), world.has('fine'), world.has('../outside')]).toEqual([true, false, false]);
		const [, patch, , push] = world.heard();
		expect(patch).toContain('outside your worktree');
		expect(push).toContain("Roost's guard refused");
		const log = execFileSync('git', ['log', '-1', '--format=%s'], { cwd: world.worktree, env: world.rig.env, encoding: 'utf8' });
		expect(log.trim()).toBe('Make it');
	}, 60_000);

	it('is proven by its canary, and leaves nothing behind; without trust in the hook the proof fails', async () => {
		await using world = await openWorld('scout');
		expect(await world.prove()).toEqual({ guarded: true });
		const untrusted = world.deployed.argv.filter((_arg, at, all) => !`${all[at]}${all[at + 1]}`.includes('hooks.state'));
		expect(await world.prove(untrusted)).toEqual({ guarded: false, reason: 'the guard was never asked' });
		const status = execFileSync('git', ['status', '--porcelain'], { cwd: world.worktree, env: world.rig.env, encoding: 'utf8' });
		expect(status.trim()).toBe('?? .codex/');
		expect(world.deployed.files.map((file) => existsSync(file))).toEqual([true]);
		await world.deployed.remove();
		expect(world.deployed.files.map((file) => existsSync(file))).toEqual([false]);
	}, 60_000);
});
