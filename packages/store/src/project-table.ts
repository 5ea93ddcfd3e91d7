// The projects of sessions and rules: the path of each id.
import type { DatabaseSync } from 'node:sqlite';
import type { ProjectId } from '@roost/protocol/ids';
import { toProjectId } from './project-id.ts';
import { allRows, numberOf, type Row, textOf } from './row-values.ts';
import type { ProjectRow, ProjectsQuery } from './store.ts';

export type ProjectTable = ReturnType<typeof createProjectTable>;

export function createProjectTable(db: DatabaseSync) {
	const insert = db.prepare('INSERT OR IGNORE INTO projects (id, path, created_at) VALUES (?, ?, ?)');
	const select = db.prepare(`
		SELECT id, path, created_at FROM projects
		WHERE (:id IS NULL OR id = :id) AND (:path IS NULL OR path = :path)
		ORDER BY created_at, id
	`);
	const runners = db.prepare('SELECT runner FROM runners');

	return {
		/** To be called inside the transaction that appends. */
		save(id: string, path: string, createdAt: number): void {
			insert.run(id, path, createdAt);
		},
		/** Oldest first. A row whose id does not match its path is left out: it was changed in the file. */
		find({ id, path }: ProjectsQuery): ProjectRow[] {
			const names = runners.all().map((row) => textOf(row, 'runner'));
			const rows = select.all({ id: id ?? null, path: path ?? null }).map(toProjectRow);
			return rows.filter((row) => names.some((runner) => toProjectId(runner, row.path) === row.id));
		},
	};
}

function toProjectRow(row: Row): ProjectRow {
	return { id: textOf(row, 'id') as ProjectId, path: textOf(row, 'path'), createdAt: numberOf(row, 'created_at') };
}

/** Rows whose id does not match their path, and sessions whose project does not match their path. */
export function projectProblems(db: DatabaseSync): string[] {
	const valid = new Map<string, string>(
		createProjectTable(db)
			.find({})
			.map(({ id, path }) => [id, path]),
	);
	const changed = allRows(db, 'SELECT id FROM projects ORDER BY id').filter((row) => !valid.has(textOf(row, 'id')));
	const sessions = allRows(db, `SELECT id, project_id, session ->> 'projectPath' AS path FROM sessions ORDER BY session_no`);
	const misplaced = sessions.filter((row) => valid.get(textOf(row, 'project_id')) !== row.path);
	return [
		...changed.map((row) => `Table projects: the path of project ${textOf(row, 'id')} was changed.`),
		...misplaced.map((row) => `Table sessions: session ${textOf(row, 'id')} is not of the project at its path.`),
	];
}
