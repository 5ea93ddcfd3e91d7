// The files that differ between two trees, as git itself says.
import type { ChangedFile } from '@roost/protocol/api/changes';
import { ok, type Result } from '@roost/protocol/result';
import type { Repository } from './repository.ts';

/** A changed file with the objects of both sides; null where it does not exist. */
export type ComparedFile = ChangedFile & { readonly oldObject: string | null; readonly newObject: string | null };

const COMPARE = 'diff-tree -r -M --raw --numstat -z --full-index --no-ext-diff --no-textconv'.split(' ');
const MOST_OUTPUT = 16 * 1024 * 1024;

export async function compareTrees(
	{ git }: Repository,
	trees: { base: string; now: string },
	untracked: ReadonlySet<string>,
): Promise<Result<ComparedFile[]>> {
	const listed = await git([...COMPARE, trees.base, trees.now], { mostOutput: MOST_OUTPUT });
	if (!listed.ok) return listed;
	const { raw, counts } = parseListed(listed.value.toString('utf8').split('\0'));
	const sizes = await readSizes({ git }, raw);
	if (!sizes.ok) return sizes;
	return ok(raw.map((entry, at) => toFile(entry, counts[at], sizes.value, untracked)));
}

type Raw = { oldMode: string; newMode: string; oldObject: string; newObject: string; status: string; paths: readonly string[] };
type Counts = { added: number; removed: number; isBinary: boolean };

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const NUMBERS = /^(-|\d+)\t(-|\d+)\t(.*)$/s;

/** First the raw entries, then the numbers of lines of the same files in the same order. */
function parseListed(fields: readonly string[]): { raw: Raw[]; counts: Counts[] } {
	const raw: Raw[] = [];
	const counts: Counts[] = [];
	for (let at = 0; at < fields.length; ) {
		const field = fields[at] ?? '';
		const entry = RAW.exec(field);
		if (entry) {
			const [, oldMode = '', newMode = '', oldObject = '', newObject = '', status = ''] = entry;
			const names = status === 'R' ? 2 : 1;
			raw.push({ oldMode, newMode, oldObject, newObject, status, paths: fields.slice(at + 1, at + 1 + names) });
			at += 1 + names;
			continue;
		}
		const numbers = NUMBERS.exec(field);
		if (numbers) counts.push({ added: toCount(numbers[1]), removed: toCount(numbers[2]), isBinary: numbers[1] === '-' });
		// A renamed file has its two names in fields of their own.
		at += numbers?.[3] === '' ? 3 : 1;
	}
	return { raw, counts };
}

function toCount(text = '0'): number {
	return text === '-' ? 0 : Number(text);
}

async function readSizes({ git }: Pick<Repository, 'git'>, raw: readonly Raw[]): Promise<Result<ReadonlyMap<string, number>>> {
	const objects = raw.filter(({ newMode }) => isBlob(newMode)).map(({ newObject }) => `${newObject}\n`);
	if (objects.length === 0) return ok(new Map());
	const checked = await git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
		input: objects.join(''),
		mostOutput: MOST_OUTPUT,
	});
	if (!checked.ok) return checked;
	const lines = checked.value.toString('utf8').split('\n');
	return ok(
		new Map(
			lines.flatMap((line) => {
				const [object = '', size = ''] = line.split(' ');
				return /^\d+$/.test(size) ? [[object, Number(size)] as const] : [];
			}),
		),
	);
}

const NO_FILE = '000000';
const SUBMODULE = '160000';
const SYMLINK = '120000';

function isBlob(mode: string): boolean {
	return mode !== NO_FILE && mode !== SUBMODULE;
}

function toFile(
	entry: Raw,
	counts: Counts = { added: 0, removed: 0, isBinary: false },
	sizes: ReadonlyMap<string, number>,
	untracked: ReadonlySet<string>,
): ComparedFile {
	const { oldMode, newMode, oldObject, newObject, status, paths } = entry;
	const [first = '', second] = paths;
	const path = second ?? first;
	const kind = kindOf(entry, counts);
	const size = sizes.get(newObject);
	return {
		path,
		...(second === undefined ? {} : { oldPath: first }),
		status: status === 'A' && untracked.has(path) ? 'untracked' : (STATUSES[status] ?? 'modified'),
		...(kind && { kind }),
		added: counts.added,
		removed: counts.removed,
		...(size === undefined ? {} : { size }),
		hash: newObject,
		oldObject: oldMode === NO_FILE ? null : oldObject,
		newObject: newMode === NO_FILE ? null : newObject,
	};
}

const STATUSES: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'deleted', R: 'renamed' };

function kindOf({ oldMode, newMode }: Raw, { isBinary }: Counts): ChangedFile['kind'] {
	const mode = newMode === NO_FILE ? oldMode : newMode;
	if (oldMode === SUBMODULE || newMode === SUBMODULE) return 'submodule';
	if (mode === SYMLINK) return 'symlink';
	return isBinary ? 'binary' : undefined;
}
