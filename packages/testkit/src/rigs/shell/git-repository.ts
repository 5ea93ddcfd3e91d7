// A real git repository with one commit, untouched by the machine's own git configuration.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProgram } from '../program.ts';

/** `env` must name the HOME to use; git reads its configuration from there. */
export async function createGitRepository(path: string, env: Readonly<Record<string, string>>): Promise<void> {
	const isolated = { ...env, GIT_CONFIG_NOSYSTEM: '1' };
	await writeFile(join(path, 'README.md'), '# A project\n');
	await git(path, isolated, 'init', '--quiet', '--initial-branch=main');
	await git(path, isolated, 'config', 'user.name', 'Dev');
	await git(path, isolated, 'config', 'user.email', 'dev@example.com');
	await git(path, isolated, 'add', 'README.md');
	await git(path, isolated, 'commit', '--quiet', '--message', 'Start');
}

async function git(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<void> {
	await using program = await startProgram(['git', ...args], { cwd, env });
	const { code, stderr } = await program.waitForExit(60_000);
	if (code !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
}
