// The rows of one file, read page by page as they are scrolled to.
import type { DiffRow } from '@roost/protocol/api/changes';
import type { SessionId } from '@roost/protocol/ids';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useConnected } from '../data/use-connected.ts';

export const PAGE_ROWS = 500;

export type Diff = {
	/** Undefined before the first page is read. */
	readonly total: number | undefined;
	/** Rows that are not read yet are holes. */
	readonly rows: readonly (DiffRow | undefined)[];
	/** Why there are no rows. */
	readonly why: string | undefined;
	/** Why the last read failed; a list that is outdated is one reason. */
	readonly problem: string | undefined;
	/** Reads the page of this row, unless it was read. */
	need(row: number): void;
	again(): void;
};

type State = Omit<Diff, 'need' | 'again'>;
const NOTHING: State = { total: undefined, rows: [], why: undefined, problem: undefined };

/** The same file of the same list: mount it anew for another one. */
export function useDiff(id: SessionId, changes: string, path: string): Diff {
	const { api } = useConnected();
	const [state, setState] = useState(NOTHING);
	const asked = useRef(new Set<number>());
	const latest = useRef(changes);
	latest.current = changes;

	const read = useCallback(
		async (page: number) => {
			if (asked.current.has(page)) return;
			asked.current.add(page);
			const from = page * PAGE_ROWS;
			const reply = await api.changes.file({ id, changes: latest.current, path, from, limit: PAGE_ROWS });
			if (!reply.ok) {
				asked.current.delete(page);
				setState((before) => ({ ...before, problem: reply.error.message }));
				return;
			}
			const { total, rows, why } = reply.value;
			setState((before) => ({ total, rows: placeRows(before.rows, from, rows, total), why, problem: undefined }));
		},
		[api, id, path],
	);

	useEffect(() => void read(0), [read]);
	const need = useCallback((row: number) => void read(Math.floor(row / PAGE_ROWS)), [read]);
	return { ...state, need, again: () => void read(0) };
}

function placeRows(before: State['rows'], from: number, rows: readonly DiffRow[], total: number): State['rows'] {
	const after: (DiffRow | undefined)[] = before.length === total ? [...before] : Array.from({ length: total });
	for (const [at, row] of rows.entries()) after[from + at] = row;
	return after;
}
