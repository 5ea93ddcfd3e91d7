// Where the comments of a file belong in its diff: below their last line, or apart if that line changed or is not shown.
import type { DiffLine, DiffRow } from '@roost/protocol/api/changes';
import type { DiffSide } from '@roost/protocol/feed/review';
import type { DraftComment } from './drafts.ts';

export type PlacedComments = {
	/** By the row below which they are. */
	readonly byRow: ReadonlyMap<number, readonly DraftComment[]>;
	/** Their lines are others now. */
	readonly stale: readonly DraftComment[];
	/** Their lines are not part of the rows. */
	readonly apart: readonly DraftComment[];
};

type Numbered = { readonly at: number; readonly hash: string };
export type LineIndex = Record<DiffSide, ReadonlyMap<number, Numbered>>;

/** The lines that are loaded, by side and number. */
export function indexLines(rows: readonly (DiffRow | undefined)[]): LineIndex {
	const index = { old: new Map<number, Numbered>(), new: new Map<number, Numbered>() };
	for (const [at, row] of rows.entries()) {
		if (!row || row.type === 'hunk') continue;
		if (row.old !== undefined && row.type !== 'context') index.old.set(row.old, { at, hash: row.hash });
		if (row.new !== undefined) index.new.set(row.new, { at, hash: row.hash });
	}
	return index;
}

export function placeComments(comments: readonly DraftComment[], index: LineIndex): PlacedComments {
	const byRow = new Map<number, DraftComment[]>();
	const stale: DraftComment[] = [];
	const apart: DraftComment[] = [];
	for (const comment of comments) {
		const lines = linesOf(comment, index);
		const last = lines.at(-1);
		const known = lines.flatMap((line, at) => (line ? [line.hash === comment.lineHash.split('-')[at]] : []));
		if (known.includes(false)) stale.push(comment);
		else if (!last || known.length < lines.length) apart.push(comment);
		else byRow.set(last.at, [...(byRow.get(last.at) ?? []), comment]);
	}
	return { byRow, stale, apart };
}

function linesOf({ side, line, endLine }: Pick<DraftComment, 'side' | 'line' | 'endLine'>, index: LineIndex) {
	return Array.from({ length: endLine - line + 1 }, (_, at) => index[side].get(line + at));
}

/** The side and the number of a line, as comments name it. */
export function placeOf(line: DiffLine): { side: DiffSide; line: number } {
	return line.type === 'removed' ? { side: 'old', line: line.old ?? 0 } : { side: 'new', line: line.new ?? 0 };
}

/** A comment on the lines from one row to another; undefined if they are not one piece of one side. */
export function rangeOf(rows: readonly (DiffRow | undefined)[], from: number, to: number) {
	const [first, last] = [rows[Math.min(from, to)], rows[Math.max(from, to)]];
	if (!first || !last || first.type === 'hunk' || last.type === 'hunk') return undefined;
	const { side, line } = placeOf(first);
	const end = placeOf(last);
	const lines = rows
		.slice(Math.min(from, to), Math.max(from, to) + 1)
		.flatMap((row) => (row && row.type !== 'hunk' && placeOf(row).side === side ? [row] : []));
	if (end.side !== side || lines.length !== end.line - line + 1) return undefined;
	const quote = lines.map(({ text }) => text).join('\n');
	return { side, line, endLine: end.line, lineHash: lines.map(({ hash }) => hash).join('-'), quote };
}
