// The list of sessions, written in the transaction of their events.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type SessionRow, sessionRow } from '@roost/protocol/session-row';
import { parsedOf } from './row-values.ts';
import type { SessionsQuery } from './store.ts';

export type SessionTable = ReturnType<typeof createSessionTable>;

export function createSessionTable(db: DatabaseSync) {
	const upsert = db.prepare(`
		INSERT INTO sessions (id, project_id, started_at, session, position) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET
			project_id = excluded.project_id, started_at = excluded.started_at, session = excluded.session, position = excluded.position
	`);
	const bind = db.prepare('INSERT OR IGNORE INTO native_ids (native_id, session_id) VALUES (?, ?)');
	const selects = new Map<string, StatementSync>();
	const selectChanged = db.prepare('SELECT session FROM sessions WHERE position > ? AND position <= ? ORDER BY position');

	return {
		/** To be called inside the transaction that appends. */
		save(row: SessionRow, position: number): void {
			upsert.run(row.id, row.projectId, row.startedAt, JSON.stringify(row), position);
			for (const native of row.nativeIds) bind.run(native.id, row.id);
		},
		/** Newest first. */
		find(query: SessionsQuery): SessionRow[] {
			const { sql, values } = toSelect(query);
			const select = selects.get(sql) ?? db.prepare(sql);
			selects.set(sql, select);
			return select.all(...values).map((row) => parsedOf(row, 'session', sessionRow));
		},
		/** Rows that changed between two positions, in that order. */
		changed: (from: number, to: number) => selectChanged.all(from, to).map((row) => parsedOf(row, 'session', sessionRow)),
	};
}

/** Only the given conditions, so that SQLite uses their index. */
function toSelect(query: SessionsQuery): { sql: string; values: (string | number)[] } {
	const { id, nativeId, projectId, projectPath, unfinished, status, archived, after, limit } = query;
	const conditions: readonly (readonly [string, string | undefined])[] = [
		['id = ?', id],
		['project_id = ?', projectId],
		["session ->> 'projectPath' = ?", projectPath],
		["session ->> 'status' = ?", status],
		['id IN (SELECT session_id FROM native_ids WHERE native_id = ?)', nativeId],
		['(started_at, session_no) < (SELECT started_at, session_no FROM sessions WHERE id = ?)', after],
	];
	const given = conditions.filter(([, value]) => value !== undefined);
	const where = given.map(([condition]) => condition);
	if (unfinished) where.push("(session ->> 'status' <> 'ended' OR session ->> 'prompts' IS NOT NULL)");
	if (archived !== undefined) where.push(`session ->> 'archived' IS ${archived ? 'NOT NULL' : 'NULL'}`);
	return {
		sql: `SELECT session FROM sessions WHERE ${where.join(' AND ') || 'true'} ORDER BY started_at DESC, session_no DESC LIMIT ?`,
		// SQLite takes a negative limit as none.
		values: [...given.flatMap(([, value]) => value ?? []), limit ?? -1],
	};
}
