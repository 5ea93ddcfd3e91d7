// What of git's own folder a commit in a linked worktree must write: its objects, branches and log, never its hooks or settings.
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readText } from '@roost/machine/foreign-file';

const SHARED = ['objects', 'refs', 'logs'];

/** None where the folder is no linked worktree that its repository knows of. */
export async function worktreeGitRoots(worktreePath: string): Promise<string[]> {
	const link = await readShort(join(worktreePath, '.git'));
	const named = /^gitdir: (.+)$/m.exec(link)?.[1];
	const own = named === undefined ? undefined : await realpath(resolve(worktreePath, named)).catch(whenNoFile);
	if (!own) return [];
	const common = (await readShort(join(own, 'commondir'))).trim();
	const back = (await readShort(join(own, 'gitdir'))).trim();
	const shared = common === '' ? '' : await realpath(resolve(own, common)).catch(whenNoFile);
	// A file in a checkout may name any folder: only one that names the checkout in turn is its own.
	const isOwn = dirname(own) === join(shared, 'worktrees') && resolve(own, back) === join(await realpath(worktreePath), '.git');
	return isOwn ? [own, ...SHARED.map((name) => join(shared, name))] : [];
}

/** A folder in its place, or nothing: a main checkout, or none at all. */
function whenNoFile(): string {
	return '';
}

/** Git writes one path into such a file. */
async function readShort(path: string): Promise<string> {
	const read = await readText(path, { mostBytes: 8192 });
	return read.kind === 'text' ? read.text : '';
}
