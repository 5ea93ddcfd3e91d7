// What changed in the folder of a session: compared with a commit, or with the files when the session or a run started.
import { randomUUID } from 'node:crypto';
import { createInTurn } from '@roost/machine/in-turn';
import { type Changes, type ChangesBase, type FileDiff, MOST_FILES } from '@roost/protocol/api/changes';
import { AppError } from '@roost/protocol/app-error';
import type { Since } from '@roost/protocol/feed/review';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { type ComparedFile, compareTrees } from './compare-trees.ts';
import { type ParsedDiff, pageOf, readDiff, whyNoRows } from './file-diff.ts';
import { openRepository, type Repository } from './repository.ts';
import { type Mark, type SessionMarks, whyUnknown } from './session-marks.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

export type ChangesDeps = {
	marks: SessionMarks;
	sessionOf: (id: SessionId) => Result<SessionRow>;
	now: () => number;
	warn: (sentence: string) => void;
};

/** Two trees and the files that differ, for reads of single files. */
export type Comparison = Pick<Snapshot, 'leftOut'> & {
	readonly id: string;
	readonly repository: Repository;
	readonly files: readonly ComparedFile[];
	/** What to know about the base. */
	readonly note: string | undefined;
};

export type SessionChanges = ReturnType<typeof createSessionChanges>;

const MOST_COMPARISONS = 16;
const MOST_DIFFS = 8;

export function createSessionChanges({ marks, sessionOf, now, warn }: ChangesDeps) {
	const inTurn = createInTurn<SessionId>();
	const comparisons = createNewest<Comparison>(MOST_COMPARISONS);
	const diffs = createNewest<ParsedDiff>(MOST_DIFFS);

	async function openFolder(id: SessionId, folder: string): Promise<Result<Repository>> {
		const objects = marks.objects(id);
		return objects.ok ? await openRepository(folder, objects.value) : objects;
	}

	const snapshot = (id: SessionId, repository: Repository) => takeSnapshot(repository, marks.scratch(id, randomUUID()));

	function folderOf(id: SessionId): Result<string> {
		const row = sessionOf(id);
		return row.ok ? ok(row.value.drive?.cwd ?? marks.read(id).folder ?? row.value.projectPath) : row;
	}

	async function compare(id: SessionId, wanted: Since): Promise<Result<Comparison>> {
		const folder = folderOf(id);
		if (!folder.ok) return folder;
		const repository = await openFolder(id, folder.value);
		if (!repository.ok) return repository;
		const base = await findBase(repository.value, wanted, marks.find(id, wanted));
		if (!base.ok) return base;
		const taken = await snapshot(id, repository.value);
		if (!taken.ok) return taken;
		const { tree, untracked, leftOut } = taken.value;
		const files = await compareTrees(repository.value, { base: base.value.tree, now: tree }, untracked);
		if (!files.ok) return files;
		const compared = { id: `${base.value.tree}.${tree}`, repository: repository.value, files: files.value, leftOut };
		return ok({ ...compared, note: base.value.note });
	}

	async function readFile({ repository }: Comparison, file: ComparedFile): Promise<Result<ParsedDiff>> {
		const key = `${file.oldObject}.${file.newObject}`;
		const known = diffs.get(key);
		if (known) return ok(known);
		const read = await readDiff(repository, file);
		if (read.ok) diffs.set(key, read.value);
		return read;
	}

	return {
		compare: (id: SessionId, wanted: Since) => inTurn(id, () => compare(id, wanted)),
		readFile,
		async list(id: SessionId, wanted: Since): Promise<Result<Changes>> {
			const row = sessionOf(id);
			if (!row.ok) return row;
			const compared = await inTurn(id, () => compare(id, wanted));
			const bases = toBases(marks.read(id).marks);
			if (!compared.ok) return ok({ isKnown: false, bases, why: compared.error.message });
			comparisons.set(`${id} ${compared.value.id}`, compared.value);
			const { id: changes, files, leftOut, note } = compared.value;
			const shown = files.slice(0, MOST_FILES).map(({ oldObject: _, newObject: __, ...file }) => file);
			const more = files.length - shown.length;
			return ok({ isKnown: true, bases, id: changes, files: shown, more, leftOut: [...leftOut], ...(note && { note }) });
		},
		async file(id: SessionId, query: { changes: string; path: string; from: number; limit: number }): Promise<Result<FileDiff>> {
			const compared = comparisons.get(`${id} ${query.changes}`);
			if (!compared) return err(new AppError('conflict', 'This list of changes is outdated. Read it again.'));
			const file = compared.files.find(({ path }) => path === query.path);
			if (!file) return err(new AppError('not_found', `"${query.path}" did not change.`));
			const why = whyNoRows(file);
			if (why !== undefined) return ok({ total: 0, rows: [], why });
			const diff = await readFile(compared, file);
			return diff.ok ? ok(pageOf(diff.value, query.from, query.limit)) : diff;
		},
		/** A mark that was made before stays. */
		mark: (id: SessionId, wanted: readonly Since[], known: string | undefined, isLate: () => boolean): Promise<void> =>
			inTurn(id, async () => {
				const missing = wanted.filter((one) => marks.find(id, one) === undefined);
				const folder = known === undefined ? folderOf(id) : ok(known);
				if (missing.length === 0 || !folder.ok) return;
				const at = now();
				const repository = await openFolder(id, folder.value);
				const taken = repository.ok ? await snapshot(id, repository.value) : repository;
				const found = taken.ok && repository.ok ? { tree: taken.value.tree, top: repository.value.top } : undefined;
				const outcome = found ?? { why: taken.ok ? '' : taken.error.message };
				for (const one of missing) {
					const added = marks.add(id, folder.value, { since: one, at, ...outcome, ...(isLate() && { isLate: true }) });
					if (!added.ok) warn(`the files of session ${id} could not be noted: ${added.error.message}`);
				}
			}),
	};
}

async function findBase(
	{ git, top }: Repository,
	wanted: Since,
	mark: Mark | undefined,
): Promise<Result<{ tree: string; note?: string }>> {
	if (wanted !== 'head') {
		if (mark?.tree === undefined) return err(new AppError('not_found', whyUnknown(wanted, mark)));
		if (mark.top !== top) return err(new AppError('not_found', `The session has moved: its files were noted in ${mark.top}.`));
		const there = await git(['cat-file', '-e', `${mark.tree}^{tree}`]);
		if (!there.ok) return err(new AppError('not_found', 'The files from then are no longer kept. Compare with the last commit.'));
		return ok({ tree: mark.tree, ...(mark.isLate && { note: LATE }) });
	}
	const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{tree}']);
	if (head.ok) return ok({ tree: head.value.toString('utf8').trim() });
	const empty = await git(['hash-object', '-w', '-t', 'tree', '--stdin'], { input: '' });
	return empty.ok ? ok({ tree: empty.value.toString('utf8').trim(), note: 'The repository has no commit yet.' }) : empty;
}

const LATE = 'The agent was already working when its files were noted, so its first changes may be missing.';

/** The start and the last commit first, then the runs, newest first. */
function toBases(marks: readonly Mark[]): ChangesBase[] {
	const known = marks.filter(({ tree }) => tree !== undefined).map(({ since, at }) => ({ since, at }));
	const isStart = ({ since }: ChangesBase) => since === 'start';
	return [...known.filter(isStart), { since: 'head' }, ...known.filter((one) => !isStart(one)).reverse()];
}

function createNewest<T>(most: number) {
	const kept = new Map<string, T>();
	return {
		get: (key: string) => kept.get(key),
		set(key: string, value: T) {
			kept.delete(key);
			kept.set(key, value);
			const [oldest] = kept.keys();
			if (kept.size > most && oldest !== undefined) kept.delete(oldest);
		},
	};
}
