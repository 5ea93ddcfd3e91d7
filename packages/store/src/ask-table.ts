// The asks and what became of each, written with the log so that an answer and its fact are one thing.
import type { DatabaseSync } from 'node:sqlite';
import { type AskRow, askRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { KeptAsk } from './compare-and-set.ts';
import type { PreparedRow } from './prepared-append.ts';
import { parsedOf, textOf } from './row-values.ts';
import type { AsksQuery } from './store.ts';

export type AskTable = {
	/** To be called inside the transaction that appends, after the comparison with what is kept. */
	save(ask: PreparedRow<AskRow>, position: number): void;
	kept(id: AskId): KeptAsk | undefined;
	/** Oldest first. */
	find(query: AsksQuery): AskRow[];
	/** Those that changed between two places, in that order. */
	changed(from: number, to: number): AskRow[];
};

export function createAskTable(db: DatabaseSync): AskTable {
	// The condition repeats the comparison where it cannot be forgotten: a decided row stays as it is.
	const upsert = db.prepare(`
		INSERT INTO asks (id, session_id, state, opened_at, ask, position) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET
			session_id = excluded.session_id, state = excluded.state, opened_at = excluded.opened_at, ask = excluded.ask,
			position = excluded.position
		WHERE asks.state = 'pending'
	`);
	const select = db.prepare('SELECT state, ask FROM asks WHERE id = ?');
	const selectChanged = db.prepare('SELECT ask FROM asks WHERE position > ? AND position <= ? ORDER BY position');

	return {
		save({ row, text }, position) {
			upsert.run(row.id, row.sessionId, row.state, row.openedAt, text, position);
		},
		kept(id) {
			const found = select.get(id);
			return found === undefined ? undefined : { state: textOf(found, 'state'), text: textOf(found, 'ask') };
		},
		find(query) {
			const { sql, values } = toSelect(query);
			return db
				.prepare(sql)
				.all(...values)
				.map((row) => parsedOf(row, 'ask', askRow));
		},
		changed: (from, to) => selectChanged.all(from, to).map((row) => parsedOf(row, 'ask', askRow)),
	};
}

/** Only the conditions that are asked for, so that each finds its index. */
function toSelect({ id, sessionId, state, limit }: AsksQuery): { sql: string; values: (string | number)[] } {
	const conditions = Object.entries({ id, session_id: sessionId, state }).flatMap(([column, value]) =>
		value === undefined ? [] : [{ column, value }],
	);
	const where = conditions.map(({ column }) => `${column} = ?`).join(' AND ') || 'true';
	return {
		sql: `SELECT ask FROM asks WHERE ${where} ORDER BY opened_at, ask_no LIMIT ?`,
		// SQLite takes a negative limit as none.
		values: [...conditions.map(({ value }) => value), limit ?? -1],
	};
}
