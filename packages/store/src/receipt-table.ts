// The result of each command, written in the transaction of its facts, so that a repeat is answered and not run again.
import type { DatabaseSync } from 'node:sqlite';
import { numberOf, textOf } from './row-values.ts';
import type { Receipt } from './store.ts';

export const RECEIPT_TABLE = `
	CREATE TABLE receipts (
		id TEXT PRIMARY KEY,
		hash TEXT NOT NULL,
		at REAL NOT NULL,
		result TEXT
	) STRICT, WITHOUT ROWID;
	CREATE INDEX receipts_by_age ON receipts (at);
`;

/** A signed command can be delivered for 8 days, by a clock that may be set back. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export type ReceiptTable = ReturnType<typeof createReceiptTable>;

export function createReceiptTable(db: DatabaseSync) {
	const upsert = db.prepare(`
		INSERT INTO receipts (id, hash, at, result) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET result = coalesce(receipts.result, excluded.result)
	`);
	const select = db.prepare('SELECT id, hash, at, result FROM receipts WHERE id = ?');
	const prune = db.prepare('DELETE FROM receipts WHERE at < ?');
	return {
		/** To be called inside the transaction that appends. A known result never changes. */
		save({ id, hash, at, result }: Receipt): void {
			upsert.run(id, hash, at, result);
			prune.run(at - KEPT_MS);
		},
		find(id: string): Receipt | undefined {
			const row = select.get(id);
			if (row === undefined) return undefined;
			const result = row.result === null ? null : textOf(row, 'result');
			return { id: textOf(row, 'id'), hash: textOf(row, 'hash'), at: numberOf(row, 'at'), result };
		},
	};
}
