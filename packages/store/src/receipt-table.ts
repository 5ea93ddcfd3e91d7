// What became of each command, written with the facts it led to, so that a repeat is answered and not carried out again.
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

/** Nobody repeats a command after so long. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

export type ReceiptTable = {
	/** To be called inside the transaction that appends. A result that is known is never changed. */
	save(receipt: Receipt): void;
	find(id: string): Receipt | undefined;
};

export function createReceiptTable(db: DatabaseSync): ReceiptTable {
	const upsert = db.prepare(`
		INSERT INTO receipts (id, hash, at, result) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET result = coalesce(receipts.result, excluded.result)
	`);
	const select = db.prepare('SELECT id, hash, at, result FROM receipts WHERE id = ?');
	const prune = db.prepare('DELETE FROM receipts WHERE at < ?');
	return {
		save({ id, hash, at, result }) {
			upsert.run(id, hash, at, result);
			prune.run(at - KEPT_MS);
		},
		find(id) {
			const row = select.get(id);
			if (row === undefined) return undefined;
			const result = row.result === null ? null : textOf(row, 'result');
			return { id: textOf(row, 'id'), hash: textOf(row, 'hash'), at: numberOf(row, 'at'), result };
		},
	};
}
