// The list of sessions, written in the transaction of their events.
import type { DatabaseSync } from 'node:sqlite';
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
	const select = db.prepare(`
		SELECT session FROM sessions
		WHERE (:id IS NULL OR id = :id)
			AND (:project IS NULL OR project_id = :project)
			AND (:path IS NULL OR session ->> 'projectPath' = :path)
			AND (:unfinished = 0 OR session ->> 'status' <> 'ended' OR session ->> 'prompts' IS NOT NULL)
			AND (:native IS NULL OR id IN (SELECT session_id FROM native_ids WHERE native_id = :native))
		ORDER BY started_at DESC, session_no DESC
	`);
	const selectChanged = db.prepare('SELECT session FROM sessions WHERE position > ? AND position <= ? ORDER BY position');

	return {
		/** To be called inside the transaction that appends. */
		save(row: SessionRow, position: number): void {
			upsert.run(row.id, row.projectId, row.startedAt, JSON.stringify(row), position);
			for (const native of row.nativeIds) bind.run(native.id, row.id);
		},
		/** Newest first. */
		find({ id, nativeId, projectId, projectPath, unfinished }: SessionsQuery): SessionRow[] {
			const chosen = { id: id ?? null, project: projectId ?? null, path: projectPath ?? null, native: nativeId ?? null };
			const rows = select.all({ ...chosen, unfinished: unfinished ? 1 : 0 });
			return rows.map((row) => parsedOf(row, 'session', sessionRow));
		},
		/** Rows that changed between two positions, in that order. */
		changed: (from: number, to: number) => selectChanged.all(from, to).map((row) => parsedOf(row, 'session', sessionRow)),
	};
}
