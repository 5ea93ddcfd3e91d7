// A repository whose configuration names a program wherever git would run one.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from './git-repository.ts';

export type HostileRepository = {
	readonly path: string;
	/** The names of the programs that ran. */
	ran(): Promise<string[]>;
	/** Removes an object that git must read, as in a partial clone. */
	loseObject(): Promise<void>;
	/** Git without the protections of `runGit`. */
	runCarelessly(...args: readonly string[]): void;
};

const FILES = ['by-include', 'by-tree', 'by-user-file', 'process'] as const;

/** Each program leaves a canary. */
export async function createHostileRepository(parent: string): Promise<HostileRepository> {
	const path = join(parent, 'hostile');
	const canaries = join(parent, 'canaries');
	const bin = join(parent, 'bin');
	await Promise.all([path, canaries, bin].map((folder) => mkdir(folder)));
	const env = { PATH: process.env.PATH ?? '', HOME: parent, GIT_CONFIG_NOSYSTEM: '1' };
	await createGitRepository(path, env);
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-C', path, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
	for (const name of FILES) await writeFile(join(path, name), 'one\n');
	git('add', '.');
	git('commit', '--quiet', '--message', 'Files');

	for (const [name, then] of PROGRAMS) {
		await writeFile(join(bin, name), `#!/bin/sh\ntouch '${join(canaries, name)}'\n${then}\n`, { mode: 0o755 });
	}
	await writeFile(join(path, '.gitattributes'), 'by-tree filter=in=tree.x diff=shown\n');
	await mkdir(join(path, '.git', 'info'), { recursive: true });
	await writeFile(join(path, '.git', 'info', 'attributes'), 'process filter=in-git\nby-include filter=in-include\n');
	await writeFile(join(parent, 'attributes'), 'by-user-file filter=by-file\n');
	await writeFile(join(parent, 'included'), `[filter "in-include"]\n\tclean = ${join(bin, 'clean-by-include')}\n`);
	await appendFile(join(path, '.git', 'config'), hostileConfig(parent, bin));
	// The same size as before and a new time: git must compare the contents, which runs the filters.
	for (const name of FILES) await writeFile(join(path, name), 'two\n');
	return {
		path,
		ran: async () => (await readdir(canaries)).sort(),
		async loseObject() {
			const tree = git('rev-parse', 'HEAD^{tree}').trim();
			await rm(join(path, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
		},
		runCarelessly(...args) {
			try {
				git(...args);
			} catch {
				// Only the programs that it runs matter, not its result.
			}
		},
	};
}

/** The name of a program, and what it does after it creates its canary. */
const PROGRAMS = [
	['clean', 'cat'],
	['clean-by-file', 'cat'],
	['clean-by-include', 'cat'],
	['process', 'exit 1'],
	['fsmonitor', 'exit 1'],
	['post-index-change', 'exit 0'],
	['ssh', 'exit 1'],
	['pager', 'cat'],
	['external-diff', 'exit 0'],
	['textconv', 'cat'],
	['alias', 'exit 0'],
] as const;

function hostileConfig(parent: string, bin: string): string {
	return `[core]
	fsmonitor = ${bin}/fsmonitor
	hooksPath = ${bin}
	attributesFile = ${parent}/attributes
	sshCommand = ${bin}/ssh
	pager = ${bin}/pager
	askPass = ${bin}/ssh
[filter "in=tree.x"]
	clean = ${bin}/clean
	required = true
[filter "by-file"]
	clean = ${bin}/clean-by-file
[filter "in-git"]
	process = ${bin}/process
[diff]
	external = ${bin}/external-diff
[diff "shown"]
	textconv = ${bin}/textconv
[alias]
	status = !${bin}/alias
	config = !${bin}/alias
[status]
	submoduleSummary = true
[include]
	path = ${parent}/included
[remote "origin"]
	url = ssh://dev@localhost:1/none
	promisor = true
[extensions]
	partialClone = origin
`;
}
