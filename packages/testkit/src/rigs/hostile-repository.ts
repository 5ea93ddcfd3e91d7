// A repository whose own configuration names programs wherever git would run one; each leaves a canary.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitRepository } from './git-repository.ts';

export type HostileRepository = {
	readonly path: string;
	/** The names of those programs that ran. */
	ran(): Promise<string[]>;
	/** Git as somebody would run it who does not look out. */
	runCarelessly(...args: readonly string[]): void;
};

export async function createHostileRepository(parent: string): Promise<HostileRepository> {
	const path = join(parent, 'hostile');
	const canaries = join(parent, 'canaries');
	await Promise.all([mkdir(path), mkdir(canaries), mkdir(join(parent, 'bin'))]);
	const env = { PATH: process.env.PATH ?? '', HOME: parent };
	await createGitRepository(path, env);
	const program = async (name: string, then = 'cat'): Promise<string> => {
		const file = join(parent, 'bin', name);
		await writeFile(file, `#!/bin/sh\ntouch '${join(canaries, name)}'\n${then}\n`, { mode: 0o755 });
		return file;
	};
	const git = (...args: readonly string[]) => execFileSync('git', ['-C', path, ...args], { env, stdio: 'ignore' });

	await writeFile(join(path, 'tracked'), 'one\n');
	await writeFile(join(path, 'other'), 'one\n');
	git('add', '.');
	git('commit', '--quiet', '--message', 'Files');
	// Attributes in the tree, in the repository's own files, and in a file that its configuration names.
	await writeFile(join(path, '.gitattributes'), '* filter=in=tree.x diff=shown\n');
	await mkdir(join(path, '.git', 'info'), { recursive: true });
	await writeFile(join(path, '.git', 'info', 'attributes'), 'other filter=in-git\n');
	await writeFile(join(parent, 'attributes'), 'README.md filter=by-file\n');
	git('config', 'core.attributesFile', join(parent, 'attributes'));
	git('config', 'filter.in=tree.x.clean', await program('clean'));
	git('config', 'filter.in=tree.x.required', 'true');
	git('config', 'filter.in-git.process', await program('process', 'exit 1'));
	git('config', 'filter.by-file.clean', await program('clean-by-file'));
	git('config', 'core.fsmonitor', await program('fsmonitor', 'exit 1'));
	git('config', 'core.hooksPath', join(parent, 'bin'));
	await program('post-index-change', 'exit 0');
	git('config', 'core.sshCommand', await program('ssh', 'exit 1'));
	git('config', 'core.pager', await program('pager'));
	git('config', 'diff.external', await program('external-diff'));
	git('config', 'diff.shown.textconv', await program('textconv'));
	git('config', 'core.askPass', await program('askpass', 'exit 1'));
	git('config', 'credential.helper', await program('credential', 'exit 1'));
	git('config', 'alias.status', `!${await program('alias')}`);
	git('config', 'status.submoduleSummary', 'true');
	git('config', 'remote.origin.url', 'ssh://dev@localhost:1/none');
	// A clone that lacks objects asks for them while it looks.
	git('config', 'remote.origin.promisor', 'true');
	git('config', 'extensions.partialClone', 'origin');
	await writeFile(join(parent, 'included'), `[filter "in-include"]\n\tclean = ${await program('clean-by-include')}\n`);
	git('config', 'include.path', join(parent, 'included'));
	await appendFile(join(path, '.git', 'info', 'attributes'), 'tracked filter=in-include\n');
	// The same size as before and a new time: git must compare the content, through the filters.
	for (const name of ['tracked', 'other', 'README.md'])
		await writeFile(join(path, name), name === 'README.md' ? '# A projekt\n' : 'two\n');
	return {
		path,
		ran: async () => (existsSync(canaries) ? (await readdir(canaries)).sort() : []),
		runCarelessly: (...args) => {
			try {
				git(...args);
			} catch {
				// What it runs is what counts here, not what it says.
			}
		},
	};
}
