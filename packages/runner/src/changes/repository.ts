// The repository of a session's folder: found without trusting its configuration, and read without writing to it.
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type GitOptions, runGit, runGitBytes } from '@roost/machine/git';
import { filtersIn, parseSettings } from '@roost/machine/git-settings';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';

export type Repository = {
	/** The top of the working tree. */
	readonly top: string;
	readonly index: string;
	/** Reads the repository; writes only to Roost's own object directory and to `index`. */
	git(args: readonly string[], options?: Pick<GitOptions, 'input' | 'mostOutput'> & { index?: string }): Promise<Result<Buffer>>;
};

/** `objects`: Roost's own directory for objects. */
export async function openRepository(folder: string, objects: string): Promise<Result<Repository>> {
	if (!(await isFolder(folder))) return err(new AppError('not_found', `The folder ${folder} no longer exists.`));
	const asked = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--absolute-git-dir', '--git-path', 'index'];
	const found = await runGit(folder, [...asked, '--git-path', 'objects']);
	if (!found.ok) return err(toSentence(found.error, folder));
	const [top = '', gitDir = '', index = '', alternates = ''] = found.value.split('\n');
	if (!(await isOwnTree(top, gitDir)))
		return err(new AppError('unsafe_path', `The repository of ${folder} has its working tree elsewhere (core.worktree).`));
	const settings = await runGit(top, ['config', '-z', '--list']);
	if (!settings.ok) return err(toSentence(settings.error, folder));
	const unused = filtersIn(parseSettings(settings.value));
	return ok({
		top,
		index,
		async git(args, { index: own = index, ...options } = {}) {
			const ran = await runGitBytes(top, args, { ...options, unused, own: { index: own, objects, alternates } });
			return ran.ok ? ran : err(toSentence(ran.error, folder));
		},
	});
}

async function isFolder(path: string): Promise<boolean> {
	return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** A repository could name any folder of the user as its working tree: only one whose `.git` leads back to it is read. */
async function isOwnTree(top: string, gitDir: string): Promise<boolean> {
	try {
		const path = join(top, '.git');
		const isFile = (await lstat(path)).isFile();
		const named = isFile ? /^gitdir: (.+)\n?$/s.exec(await readFile(path, 'utf8'))?.[1]?.trimEnd() : path;
		return named !== undefined && (await realpath(resolve(dirname(path), named))) === (await realpath(gitDir));
	} catch {
		return false;
	}
}

function toSentence(error: AppError, folder: string): AppError {
	const { code, message } = error;
	const say = (sentence: string) => new AppError(code, sentence, { cause: error });
	if (/not a git repository/i.test(message)) return say(`${folder} is not in a git repository, so its changes are not known.`);
	if (/must be run in a work tree/.test(message)) return say(`${folder} is in a repository without a working tree.`);
	if (code === 'timed_out') return say(`The repository of ${folder} is too large: git did not finish in time.`);
	if (code === 'too_large') return say(`Too much has changed in ${folder} to show it. Use "git status" there.`);
	return say(message);
}
