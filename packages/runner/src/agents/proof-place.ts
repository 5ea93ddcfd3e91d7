// Where the guard of an agent is proven: a worktree of a repository of its own, in Roost's home, gone afterwards with all that runs in it.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@roost/machine/error-code';
import { runGit } from '@roost/machine/git';
import { ensurePrivateDirectory } from '@roost/machine/private-directory';
import { ok, type Result } from '@roost/protocol/result';
import { endMarked } from '../driven/marked-processes.ts';

export type ProofPlace = AsyncDisposable & {
	/** For `ROOST_SESSION`, so that whatever was started here is found again. */
	readonly mark: string;
	readonly worktree: string;
	readonly stateDir: string;
};

const MARK = /^proof-[0-9a-f-]{36}$/;

export async function openProofPlace(folder: string): Promise<Result<ProofPlace>> {
	const own = ensurePrivateDirectory(folder, 'close');
	if (!own.ok) return own;
	const mark = `proof-${randomUUID()}`;
	const place = join(folder, mark);
	const [repository, worktree] = [join(place, 'repository'), join(place, 'worktree')];
	await using stack = new AsyncDisposableStack();
	stack.defer(() => clear(folder, [mark]));
	await mkdir(repository, { recursive: true, mode: 0o700 });
	for (const args of toSteps(worktree)) {
		const done = await runGit(repository, args);
		if (!done.ok) return done;
	}
	const owned = stack.move();
	return ok({ mark, worktree, stateDir: join(place, 'state'), [Symbol.asyncDispose]: () => owned.disposeAsync() });
}

/** What a runner that was killed left behind. */
export async function clearProofPlaces(folder: string): Promise<void> {
	const names = await readdir(folder).catch((cause: unknown) => {
		if (hasCode(cause, 'ENOENT')) return [];
		throw cause;
	});
	await clear(
		folder,
		names.filter((name) => MARK.test(name)),
	);
}

async function clear(folder: string, marks: readonly string[]): Promise<void> {
	await endMarked(marks);
	for (const mark of marks) await rm(join(folder, mark), { recursive: true, force: true, maxRetries: 3 });
}

/** A linked worktree, as agents get them: in one of those some of them pass over their hooks. Nothing of the user's settings counts. */
function toSteps(worktree: string): readonly (readonly string[])[] {
	const somebody = ['-c', 'user.name=Roost', '-c', 'user.email=roost@localhost', '-c', 'commit.gpgSign=false'];
	return [
		['init', '--quiet', '--template=', '--initial-branch=main'],
		[...somebody, 'commit', '--quiet', '--allow-empty', '--no-verify', '--message=Start'],
		['worktree', 'add', '--quiet', '-b', 'roost/canary/proof', worktree],
	];
}
