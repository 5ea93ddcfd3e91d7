// The diff of one file: hunks as git finds them between two objects, and pages of their rows.
import type { DiffRow, FileDiff } from '@roost/protocol/api/changes';
import { ok, type Result } from '@roost/protocol/result';
import { isSecretFile } from '../deciding/secret-files.ts';
import { type BlobLines, createBlobLines } from './blob-lines.ts';
import type { ComparedFile } from './compare-trees.ts';
import type { Repository } from './repository.ts';

export type ParsedDiff = {
	readonly hunks: readonly Hunk[];
	readonly total: number;
	readonly old: BlobLines;
	readonly now: BlobLines;
};

/** `marks`: for each line a space, "+" or "-". */
type Hunk = { readonly head: string; readonly oldStart: number; readonly newStart: number; readonly marks: string };

const MOST_OUTPUT = 64 * 1024 * 1024;
const DIFF =
	'-c diff.suppressBlankEmpty=false diff --no-color --no-ext-diff --no-textconv --text --unified=3 --inter-hunk-context=0 -O/dev/null'.split(
		' ',
	);

/** Why the file has no rows; undefined if it has. */
export function whyNoRows(file: ComparedFile): string | undefined {
	if (file.kind === 'submodule') return `Submodule: ${file.oldObject ?? 'none'} → ${file.newObject ?? 'none'}`;
	if (isSecretFile(file.path)) return 'This file may contain secrets, so it is not shown.';
	if (file.kind === 'binary') return 'This is a binary file.';
	if (file.oldObject === file.newObject)
		return file.oldPath === undefined ? 'Only its mode changed.' : 'Renamed without changes.';
	return undefined;
}

/** Only objects are named, never a path. */
export async function readDiff({ git }: Repository, { oldObject, newObject }: ComparedFile): Promise<Result<ParsedDiff>> {
	const [old, now] = await Promise.all([readBlob({ git }, oldObject), readBlob({ git }, newObject)]);
	if (!old.ok) return old;
	if (!now.ok) return now;
	const empty = await git(['hash-object', '-w', '-t', 'blob', '--stdin'], { input: '' });
	if (!empty.ok) return empty;
	const nothing = empty.value.toString('utf8').trim();
	const written = await git([...DIFF, oldObject ?? nothing, newObject ?? nothing], { mostOutput: MOST_OUTPUT });
	if (!written.ok) return written;
	const hunks = parseHunks(written.value);
	const total = hunks.reduce((sum, { marks }) => sum + 1 + marks.length, 0);
	return ok({ hunks, total, old: old.value, now: now.value });
}

async function readBlob({ git }: Pick<Repository, 'git'>, object: string | null): Promise<Result<BlobLines>> {
	if (object === null) return ok(createBlobLines(Buffer.alloc(0)));
	const read = await git(['cat-file', 'blob', object], { mostOutput: MOST_OUTPUT });
	return read.ok ? ok(createBlobLines(read.value)) : read;
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The text of the lines is taken from the objects, so that it is redacted as a whole. */
function parseHunks(written: Buffer): Hunk[] {
	const hunks: { head: string; oldStart: number; newStart: number; marks: string[] }[] = [];
	for (let at = 0; at < written.length; ) {
		const newline = written.indexOf(0x0a, at);
		const end = newline === -1 ? written.length : newline;
		const mark = String.fromCharCode(written[at] ?? 0);
		const head = mark === '@' ? HEAD.exec(written.toString('latin1', at, Math.min(end, at + 100))) : null;
		if (head) hunks.push({ head: head[0], oldStart: Number(head[1]), newStart: Number(head[2]), marks: [] });
		else if (' +-'.includes(mark)) hunks.at(-1)?.marks.push(mark);
		at = end + 1;
	}
	return hunks.map((hunk) => ({ ...hunk, marks: hunk.marks.join('') }));
}

export function pageOf(diff: ParsedDiff, from: number, limit: number): FileDiff {
	const rows: DiffRow[] = [];
	let start = 0;
	for (const hunk of diff.hunks) {
		const end = start + 1 + hunk.marks.length;
		if (end > from && start < from + limit) rows.push(...rowsOf(diff, hunk, Math.max(0, from - start), from + limit - start));
		start = end;
	}
	return { total: diff.total, rows };
}

/** The rows of one hunk between two places; 0 is its head. */
function rowsOf({ old, now }: ParsedDiff, { head, oldStart, newStart, marks }: Hunk, from: number, to: number): DiffRow[] {
	const lines = numberLines(marks, oldStart, newStart).slice(Math.max(0, from - 1), Math.max(0, to - 1));
	const oldTexts = textsOf(
		old,
		lines.flatMap((line) => (line.type === 'removed' ? [line.old] : [])),
	);
	const newTexts = textsOf(
		now,
		lines.flatMap((line) => (line.type === 'removed' ? [] : [line.new])),
	);
	const shown = lines.map((line): DiffRow => {
		const [side, at, texts] = line.type === 'removed' ? [old, line.old, oldTexts] : [now, line.new, newTexts];
		const { text, isCut } = texts(at);
		const ends = { ...(isCut && { isCut }), ...(side.isUnended && at === side.count && { isUnended: true as const }) };
		return { ...line, text, ...ends, hash: side.hash(at) };
	});
	return from === 0 ? [{ type: 'hunk', text: head }, ...shown] : shown;
}

type NumberedLine =
	| { type: 'context'; old: number; new: number }
	| { type: 'added'; new: number }
	| { type: 'removed'; old: number };

function numberLines(marks: string, oldStart: number, newStart: number): NumberedLine[] {
	let old = oldStart;
	let now = newStart;
	return [...marks].map((mark) => {
		if (mark === '+') return { type: 'added', new: now++ };
		if (mark === '-') return { type: 'removed', old: old++ };
		return { type: 'context', old: old++, new: now++ };
	});
}

function textsOf(side: BlobLines, numbers: readonly number[]) {
	const first = numbers[0] ?? 1;
	const texts = numbers.length === 0 ? [] : side.shown(first, numbers.at(-1) ?? first);
	return (line: number) => texts[line - first] ?? { text: '', isCut: false };
}
