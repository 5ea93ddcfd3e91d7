// The files of a working tree as one tree object in Roost's own directory: staged, unstaged and untracked, never ignored ones.
import { access, constants, copyFile, lstat, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import type { LeftOutFile } from '@roost/protocol/api/changes';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isSecretFile } from '../deciding/secret-files.ts';
import type { Repository } from './repository.ts';

export type Snapshot = {
	readonly tree: string;
	readonly untracked: ReadonlySet<string>;
	/** Changed files whose content is not in the tree. */
	readonly leftOut: readonly LeftOutFile[];
};

const MOST_CHANGED = 5_000;
const LARGEST_BYTES = 16 * 1024 * 1024;
/** Enough for the names of that many files. */
const MOST_NAMES = 4 * 1024 * 1024;

/** `scratch`: a path for an index of our own. The user's index is copied, so that git compares only files that changed. */
export async function takeSnapshot(repository: Repository, scratch: string): Promise<Result<Snapshot>> {
	try {
		await copyIndex(repository.index, scratch);
	} catch (cause) {
		// A repository without a commit may have none.
		if (!hasCode(cause, 'ENOENT')) return err(new AppError('internal', 'The index of the repository cannot be read.', { cause }));
	}
	try {
		return await writeTree(repository, scratch);
	} finally {
		await rm(scratch, { force: true });
	}
}

/** With its time, rounded down: git reads files again that are as new as the index, even if their size is the same. */
async function copyIndex(from: string, to: string): Promise<void> {
	const { mtimeMs } = await stat(from);
	await copyFile(from, to);
	const time = Math.floor(mtimeMs) / 1_000;
	await utimes(to, time, time);
}

async function writeTree({ git, top }: Repository, index: string): Promise<Result<Snapshot>> {
	const names = (...args: readonly string[]) => git(['ls-files', '-z', ...args], { index, mostOutput: MOST_NAMES });
	const [changed, untracked] = await Promise.all([names('-m', '-d'), names('-o', '--exclude-standard')]);
	if (!changed.ok) return changed;
	if (!untracked.ok) return untracked;
	const paths = [...splitNames(changed.value), ...splitNames(untracked.value)];
	if (paths.length > MOST_CHANGED)
		return err(new AppError('too_large', `More than ${MOST_CHANGED} files changed. Add generated files to .gitignore.`));
	const judged = await Promise.all(paths.map(async (path) => ({ path, why: await whyLeftOut(top, path) })));
	const taken = judged.flatMap(({ path, why }) => (why === undefined ? [path, ZERO] : []));
	const updated = await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
		index,
		input: Buffer.concat(taken),
	});
	if (!updated.ok) return updated;
	const tree = await git(['write-tree'], { index });
	if (!tree.ok) return tree;
	return ok({
		tree: tree.value.toString('utf8').trim(),
		untracked: new Set(splitNames(untracked.value).map(String)),
		leftOut: judged.flatMap(({ path, why }) => (why === undefined ? [] : [{ path: String(path), why }])),
	});
}

const ZERO = Buffer.from([0]);
const SLASH = 0x2f;

/** Each name once: a file in conflict is listed for each of its versions. */
function splitNames(listed: Buffer): Buffer[] {
	const names = new Map<string, Buffer>();
	for (let start = 0; start < listed.length; ) {
		const end = listed.indexOf(0, start);
		const name = listed.subarray(start, end);
		names.set(name.toString('latin1'), name);
		start = end + 1;
	}
	return [...names.values()];
}

/** Undefined for a file that git can add, and for a deleted one. */
async function whyLeftOut(top: string, name: Buffer): Promise<string | undefined> {
	if (name.at(-1) === SLASH) return 'a repository of its own';
	if (isSecretFile(String(name))) return 'it may contain secrets';
	const path = Buffer.concat([Buffer.from(join(top, '/')), name]);
	const found = await lstat(path).catch(() => null);
	if (!found || found.isSymbolicLink() || found.isDirectory()) return undefined;
	if (!found.isFile()) return 'not a plain file';
	if (found.size > LARGEST_BYTES) return `larger than ${LARGEST_BYTES / 1024 / 1024} MiB`;
	const isReadable = await access(path, constants.R_OK).then(
		() => true,
		() => false,
	);
	return isReadable ? undefined : 'it cannot be read';
}
