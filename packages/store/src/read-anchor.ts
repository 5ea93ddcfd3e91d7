// Computes the head over the log, or over its beginning where an earlier head says how far that goes.
import type { DatabaseSync } from 'node:sqlite';
import { type Anchor, createAnchorFold } from './anchor.ts';
import { lastPosition, toPosition } from './position.ts';
import { numberOf, textOf } from './row-values.ts';
import { inTransaction } from './transaction.ts';

/** Null where the log has fewer events than `counts`. */
export function readAnchor(db: DatabaseSync, counts?: readonly number[]): Anchor | null {
	return inTransaction(db, 'read', () => {
		const runners = db.prepare('SELECT runner_no, runner FROM runners ORDER BY runner_no').all();
		const hashes = db.prepare('SELECT hash FROM events WHERE position BETWEEN ? AND ? ORDER BY position LIMIT ?');
		const fold = createAnchorFold();
		const found: number[] = [];
		for (const [index, row] of runners.entries()) {
			const limit = counts === undefined ? -1 : (counts[index] ?? 0);
			// A runner that came later is no part of an earlier head.
			if (counts !== undefined && index >= counts.length) break;
			const no = numberOf(row, 'runner_no');
			let events = 0;
			for (const event of hashes.iterate(toPosition(no, 1), lastPosition(no), limit)) {
				if (events++ === 0) fold.begin(textOf(row, 'runner'));
				fold.add(textOf(event, 'hash'));
			}
			if (counts !== undefined && events < limit) return null;
			found.push(events);
		}
		if (counts?.slice(found.length).some((count) => count > 0)) return null;
		return { counts: found.length === 0 ? [0] : found, digest: fold.digest() };
	});
}
