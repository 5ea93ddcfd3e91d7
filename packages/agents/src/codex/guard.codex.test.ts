// The real Codex under its guard, in a linked worktree: forbidden calls are blocked, and a commit is possible.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { callTool, say } from '@roost/testkit/fakes/model-reply';
import { scriptTurns, type Turn } from '@roost/testkit/fakes/script';
import { codexWords, openCodexRig, toPatch } from '@roost/testkit/rigs/agents/codex-rig';
import { startProgram } from '@roost/testkit/rigs/program';
import { putFiles } from '@roost/testkit/rigs/put-files';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';
import type { HooksDef } from '../base/types.ts';
import { proveGuard } from '../guards/canary.ts';
import { readGuardLog } from '../guards/guard-log.ts';
import { codexCanary } from './canary.ts';
import { createCodexAdapter } from './codex-adapter.ts';
import { openGuardedHome } from './deploy-config.ts';

const DEADLINE_MS = 120_000;
/** Longer than the waits inside, so that a failure reports the actual state. */
const TEST_MS = 150_000;

const OWN_RULE = 'prefix_rule(pattern=["whoami"], decision="forbidden", justification="The user said no.")\n';

/** Without trust in a hook Codex skips it silently. */
function withoutHook(argv: readonly string[]): string[] {
	return argv.filter((_arg, at) => !`${argv[at]}${argv[at + 1]}`.includes('hooks.state'));
}

/** The agent asks for no permission, so only the guard and the sandbox can block it. */
async function openWorld(capability: string, turns: readonly Turn[] = []) {
	await using stack = new AsyncDisposableStack();
	const rig = stack.use(await openCodexRig({ script: scriptTurns(...turns) }));
	const worktree = join(dirname(rig.project), 'worktree');
	execFileSync('git', ['worktree', 'add', '-q', '-b', 'agent/bee/work', worktree], { cwd: rig.project, env: rig.env });
	await mkdir(join(worktree, '.codex'));
	await writeFile(join(worktree, '.codex/config.toml'), 'sandbox_mode = "danger-full-access"\n[features]\nhooks = false\n');
	const def: HooksDef = {
		agentName: 'bee',
		capability,
		worktreePath: worktree,
		stateDir: join(dirname(rig.home), 'state'),
		env: rig.env,
	};
	await putFiles(rig.configDir, { 'rules/own.rules': OWN_RULE });
	const deployed = await createCodexAdapter().deployConfig(worktree, { content: 'You are bee.' }, def);
	const guarded = { ...rig.env, ...deployed.env };
	const run = async (argv = deployed.argv, env: Readonly<Record<string, string>> = guarded) => {
		await using program = await startProgram([rig.program, 'exec', '--skip-git-repo-check', ...argv, '--', 'go'], {
			cwd: worktree,
			env,
		});
		return await program.waitForExit(DEADLINE_MS);
	};
	const prove = async (argv = deployed.argv) =>
		await proveGuard({ agent: codexCanary, program: [rig.program], def, deployed: { ...deployed, argv }, env: rig.env });
	/** The tool results that the model received, in order. */
	const received = () => rig.requests.slice(1).map((request) => request.toolResults.map((result) => result.text).join('\n'));
	const has = (name: string) => existsSync(join(worktree, name));
	const owned = stack.move();
	return { rig, worktree, def, deployed, run, prove, received: received, has, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('real Codex under its guard', () => {
	it(
		'as a scout, can read but not write or delete',
		async () => {
			await using world = await openWorld('scout', [
				[codexWords.write('made', 'x\n')],
				[codexWords.shell('rm README.md')],
				[codexWords.shell('cat README.md; echo x > made')],
				[codexWords.read('README.md')],
				[say('done')],
			]);
			expect(await world.run()).toMatchObject({ code: 0, stdout: 'done\n' });
			expect([world.has('README.md'), world.has('made')]).toEqual([true, false]);
			const received = world.received();
			for (const result of received.slice(0, 3)) expect(result).toContain("Roost's guard refused");
			expect(received[3]).toContain('# A project');
			expect(JSON.stringify(world.rig.requests[0]?.body)).toContain('You are bee.');
			expect((await readGuardLog(world.def.stateDir)).map((line) => [line.tool, line.allowed])).toEqual([
				['Write', false],
				['Bash', false],
				['Bash', false],
				['Bash', true],
			]);
		},
		TEST_MS,
	);

	it(
		'as a builder, writes and commits only inside its worktree and cannot push',
		async () => {
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
			const [, patch, , push] = world.received();
			expect(patch).toContain('outside your worktree');
			expect(push).toContain("Roost's guard refused");
			const log = execFileSync('git', ['log', '-1', '--format=%s'], {
				cwd: world.worktree,
				env: world.rig.env,
				encoding: 'utf8',
			});
			expect(log.trim()).toBe('Make it');
		},
		TEST_MS,
	);

	it(
		'passes its canary check without leftovers, and fails it without trust in the hook',
		async () => {
			await using world = await openWorld('scout');
			expect(await world.prove()).toEqual({ guarded: true });
			expect(await world.prove(withoutHook(world.deployed.argv))).toEqual({
				guarded: false,
				reason: 'the guard was never asked',
			});
			const status = execFileSync('git', ['status', '--porcelain'], {
				cwd: world.worktree,
				env: world.rig.env,
				encoding: 'utf8',
			});
			expect(status.trim()).toBe('?? .codex/');
			expect(world.deployed.files.map((file) => existsSync(file))).toEqual([true, true]);
			await world.deployed.remove();
			expect(world.deployed.files.map((file) => existsSync(file))).toEqual([false, false]);
			expect(await readdir(world.rig.configDir)).toEqual(expect.arrayContaining(['config.toml', 'rules', 'sessions']));
		},
		TEST_MS,
	);

	it(
		'without its hook, obeys the rules of Roost and the user, and keeps its sessions in the user’s home',
		async () => {
			await using world = await openWorld('builder', [
				[codexWords.shell('git reset --hard')],
				[codexWords.shell('cd . && git push')],
				[codexWords.shell('whoami')],
				[codexWords.shell('git status --short')],
				[say('done')],
			]);
			await writeFile(join(world.worktree, 'README.md'), 'changed\n');
			expect(await world.run(withoutHook(world.deployed.argv))).toMatchObject({ code: 0, stdout: 'done\n' });
			expect(await readGuardLog(world.def.stateDir)).toEqual([]);
			const [reset, push, own, status] = world.received();
			for (const refused of [reset, push]) expect(refused).toContain("Roost's guard refused this command");
			expect(own).toContain('The user said no.');
			expect(status).toContain('M README.md');
			expect(await readdir(join(world.rig.configDir, 'sessions'), { recursive: true })).toContainEqual(
				expect.stringMatching(/rollout-.*\.jsonl$/),
			);
		},
		TEST_MS,
	);

	it(
		'without its hook, the sandbox confines a builder to its worktree and temporary folder',
		async () => {
			await using world = await openWorld('builder', [
				[codexWords.shell('echo x > ../outside')],
				[codexWords.shell('echo x > "$(git rev-parse --git-common-dir)/hooks/pre-commit"')],
				[codexWords.shell('git config --local core.hooksPath elsewhere')],
				[codexWords.shell('echo x > made && git add made && git commit -qm "Make it" && echo committed')],
				[codexWords.shell('echo x > "$(mktemp)" && echo "kept in $TMPDIR"')],
				[say('done')],
			]);
			const settings = () => execFileSync('git', ['config', '--list', '--local'], { cwd: world.rig.project, encoding: 'utf8' });
			const before = settings();
			expect(await world.run(withoutHook(world.deployed.argv))).toMatchObject({ code: 0, stdout: 'done\n' });
			expect(await readGuardLog(world.def.stateDir)).toEqual([]);
			const [outside, hooks, config, commit, temporary] = world.received();
			for (const refused of [outside, hooks, config]) expect(refused).toContain('Read-only file system');
			expect([world.has('../outside'), existsSync(join(world.rig.project, '.git/hooks/pre-commit'))]).toEqual([false, false]);
			expect(settings()).toBe(before);
			expect(commit).toContain('committed');
			expect(temporary).toContain(`kept in ${join(world.def.stateDir, 'tmp')}`);
		},
		TEST_MS,
	);

	it(
		'without its hook, the sandbox keeps a scout from writing, even in its worktree',
		async () => {
			await using world = await openWorld('scout', [
				[codexWords.shell('echo x > made')],
				[codexWords.write('made', 'x\n')],
				[codexWords.shell('echo x > ../outside')],
				[codexWords.read('README.md')],
				[say('done')],
			]);
			expect(await world.run(withoutHook(world.deployed.argv))).toMatchObject({ code: 0, stdout: 'done\n' });
			expect(await readGuardLog(world.def.stateDir)).toEqual([]);
			const [shell, patch, outside, read] = world.received();
			for (const refused of [shell, outside]) expect(refused).toContain('Read-only file system');
			expect(patch).toContain('blocked by read-only sandbox');
			expect([world.has('made'), world.has('../outside')]).toEqual([false, false]);
			expect(read).toContain('# A project');
		},
		TEST_MS,
	);

	it(
		'does not affect the user’s own session in the same worktree',
		async () => {
			await using world = await openWorld('scout', [
				[codexWords.write('made', 'x\n')],
				[codexWords.shell('rm README.md')],
				[say('done')],
			]);
			expect(await world.run(['--sandbox=workspace-write'], world.rig.env)).toMatchObject({ code: 0, stdout: 'done\n' });
			expect([world.has('made'), world.has('README.md')]).toEqual([true, false]);
			expect(await readGuardLog(world.def.stateDir)).toEqual([]);
			expect(await readdir(join(world.rig.configDir, 'rules'))).toEqual(['own.rules']);
		},
		TEST_MS,
	);

	it('keeps the user’s home if credentials are stored in a keyring', async () => {
		await using temp = await createTempDir();
		await putFiles(temp.path, { 'config.toml': 'model = "x"\ncli_auth_credentials_store = "keyring"\n' });
		const home = await openGuardedHome(temp.path, join(temp.path, 'state'), [['git', 'push']]);
		expect([home.env, home.files]).toEqual([{}, []]);
		expect(await readdir(temp.path)).toEqual(['config.toml']);
	});
});
