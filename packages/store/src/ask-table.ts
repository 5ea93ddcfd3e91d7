// The asks and their outcomes, written in the transaction of their facts.
import type { DatabaseSync } from 'node:sqlite';
import { type AskRow, askRow } from '@roost/protocol/ask';
import type { AskId } from '@roost/protocol/ids';
import type { KeptAsk } from './compare-and-set.ts';
import type { PreparedRow } from './prepared-append.ts';
import { parsedOf, textOf } from './row-values.ts';
import type { AsksQuery } from './store.ts';

export type AskTable = ReturnType<typeof createAskTable>;

export function createAskTable(db: DatabaseSync) {
	// The condition repeats the check for conflicts: a decided row never changes.
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
		/** To be called inside the transaction that appends, after the check for conflicts. */
		save({ row, text }: PreparedRow<AskRow>, position: number): void {
			upsert.run(row.id, row.sessionId, row.state, row.openedAt, text, position);
		},
		kept(id: AskId): KeptAsk | undefined {
			const found = select.get(id);
			return found === undefined ? undefined : { state: textOf(found, 'state'), text: textOf(found, 'ask') };
		},
		/** Oldest first. */
		find(query: AsksQuery): AskRow[] {
			const { sql, values } = toSelect(query);
			const rows = db.prepare(sql).all(...values);
			return rows.map((row) => parsedOf(row, 'ask', askRow));
		},
		/** Rows that changed between two positions, in that order. */
		changed: (from: number, to: number) => selectChanged.all(from, to).map((row) => parsedOf(row, 'ask', askRow)),
	};
}

/** Only the given conditions, so that SQLite uses their index. */
function toSelect({ id, sessionId, state, limit }: AsksQuery): { sql: string; values: (string | number)[] } {
	const columns = Object.entries({ id, session_id: sessionId, state }).filter(([, value]) => value !== undefined);
	const where = columns.map(([column]) => `${column} = ?`).join(' AND ') || 'true';
	return {
		sql: `SELECT ask FROM asks WHERE ${where} ORDER BY opened_at, ask_no LIMIT ?`,
		// SQLite takes a negative limit as none.
		values: [...columns.flatMap(([, value]) => value ?? []), limit ?? -1],
	};
}
