// roost install as a user runs it, from a clone in a folder with a space in its name.
import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '@roost/testkit/rigs/program';
import { copyRoost } from '@roost/testkit/rigs/runner/roost-copy';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { describe, expect, it } from 'vitest';

const DEADLINE_MS = 120_000;

describe('roost install', { timeout: 4 * DEADLINE_MS }, () => {
	it('installs a command with completions, is idempotent, and uninstalls without leftovers', async () => {
		await using world = await openWorld();
		const before = world.files();
		const installed = await world.run(world.launcher, 'install');
		expect(installed).toMatchObject({ code: 0, stderr: '' });
		const bin = join(world.home, '.local', 'bin');
		expect(installed.stdout).toContain(`${bin} is not on your PATH.`);
		expect(installed.stdout).toContain(`echo 'export PATH="$HOME/.local/bin:$PATH"' >> ~/.bashrc`);
		const after = world.files();
		const again = await world.run(world.launcher, 'install');
		expect(again.stdout).toMatch(/^Already installed: /);
		expect(world.files()).toEqual(after);

		world.env.PATH = `${bin}:${world.env.PATH}`;
		expect((await world.run('roost', 'install')).stdout).not.toContain('not on your PATH');
		expect((await world.run('roost', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
		expect(await world.complete('rules', 're')).toEqual(['remove']);
		expect(await world.complete('run', '--on')).toEqual(['--on-ask']);
		expect(await world.complete('')).toEqual(expect.arrayContaining(['claude', 'doctor', 'install', 'uninstall']));
		expect(await world.complete('claude', '-p', 'x', '--')).toEqual([]);

		const removed = await world.run('roost', 'uninstall');
		expect(removed).toMatchObject({ code: 0, stderr: '' });
		expect(world.files()).toEqual(before);
		expect((await world.run(world.launcher, 'uninstall')).stdout).toContain('Nothing to remove');
	});

	it('replaces no foreign file, and keeps a file that was modified', async () => {
		await using world = await openWorld();
		const folder = join(world.home, 'own bin');
		await mkdir(folder);
		await writeFile(join(folder, 'roost'), 'mine');
		const refused = await world.run(world.launcher, 'install', 'own bin');
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain(`${join(folder, 'roost')} exists and was not made by`);
		expect(world.files().filter((path) => path.includes('completions'))).toEqual([]);

		for (const nowhere of ['/dev/null/bin', '/proc/bin'])
			expect(await world.run(world.launcher, 'install', nowhere)).toMatchObject({
				code: 3,
				stderr: expect.stringContaining(`${nowhere}/roost cannot be written`),
			});

		const other = await world.run(world.launcher, 'install', 'other bin');
		expect(other).toMatchObject({ code: 0 });
		const completions = join(world.home, '.local/share/bash-completion/completions/roost');
		await writeFile(completions, '# mine now\n');
		const uninstalled = await world.run(world.launcher, 'uninstall');
		expect(uninstalled.code).toBe(1);
		expect(uninstalled.stdout).toContain(`Kept ${completions}`);
		expect(readFileSync(completions, 'utf8')).toBe('# mine now\n');
		expect(existsSync(join(world.home, 'other bin'))).toBe(false);
		expect(readFileSync(join(folder, 'roost'), 'utf8')).toBe('mine');
	});

	it('names the command to type in hints: roost if it is on the PATH, else the launcher path', async () => {
		await using world = await openWorld();
		const typed = `'${world.launcher}'`;
		expect((await world.run(world.launcher, 'devices', 'revoke')).stderr).toContain(`Run "${typed} devices" to list`);
		await world.run(world.launcher, 'install', 'bin');
		world.env.PATH = `${join(world.home, 'bin')}:${world.env.PATH}`;
		for (const command of ['roost', world.launcher])
			expect((await world.run(command, 'devices', 'revoke')).stderr).toContain('Run "roost devices" to list');
	});
});

async function openWorld() {
	await using stack = new AsyncDisposableStack();
	const home = stack.use(await createTempDir()).path;
	const launcher = await copyRoost(join(stack.use(await createTempDir()).path, 'a clone'));
	const env: Record<string, string> = { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/bash', ROOST_HOME: join(home, 'roost') };
	async function run(command: string, ...args: string[]) {
		// Through a shell, which searches the PATH.
		await using program = await startProgram(['/bin/bash', '-c', '"$0" "$@"', command, ...args], { cwd: home, env });
		return await program.waitForExit(DEADLINE_MS);
	}
	const owned = stack.move();
	return {
		home,
		launcher,
		env,
		run,
		/** The files in the user's home, without Roost's own; folders end with a slash. */
		files: () =>
			globSync('**', { cwd: home })
				.filter((path) => !/^roost(\/|$)/.test(path))
				.map((path) => (lstatSync(join(home, path)).isDirectory() ? `${path}/` : path))
				.toSorted(),
		/** The completions that bash offers after these words. */
		async complete(...words: string[]) {
			const script = join(home, '.local/share/bash-completion/completions/roost');
			const line = 'source "$0"; COMP_WORDS=(roost "$@"); COMP_CWORD=$#; _roost; printf "%s\\n" "$'.concat('{COMPREPLY[@]}"');
			await using bash = await startProgram(['/bin/bash', '-c', line, script, ...words], { cwd: home, env });
			return (await bash.waitForExit(DEADLINE_MS)).stdout.split('\n').filter(Boolean);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
