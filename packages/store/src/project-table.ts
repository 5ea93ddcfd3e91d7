// The projects that sessions and rules are of: which path each id stands for.
import type { DatabaseSync } from 'node:sqlite';
import type { ProjectId } from '@roost/protocol/ids';
import { toProjectId } from './project-id.ts';
import { numberOf, textOf } from './row-values.ts';
import type { ProjectRow, ProjectsQuery } from './store.ts';

export type ProjectTable = {
	/** To be called inside the transaction that appends. */
	save(id: string, path: string, createdAt: number): void;
	/** Oldest first. A row whose id was not made of its path is left out: anybody who can write the file could have put it there. */
	find(query: ProjectsQuery): ProjectRow[];
};

export function createProjectTable(db: DatabaseSync): ProjectTable {
	const insert = db.prepare('INSERT OR IGNORE INTO projects (id, path, created_at) VALUES (?, ?, ?)');
	const select = db.prepare(`
		SELECT id, path, created_at FROM projects
		WHERE (:id IS NULL OR id = :id) AND (:path IS NULL OR path = :path)
		ORDER BY created_at, id
	`);
	const runners = db.prepare('SELECT runner FROM runners');

	return {
		save(id, path, createdAt) {
			insert.run(id, path, createdAt);
		},
		find({ id, path }) {
			const names = runners.all().map((row) => textOf(row, 'runner'));
			const rows = select.all({ id: id ?? null, path: path ?? null }).map(toProjectRow);
			return rows.filter((row) => names.some((runner) => toProjectId(runner, row.path) === row.id));
		},
	};
}

function toProjectRow(row: Parameters<typeof textOf>[0]): ProjectRow {
	return { id: textOf(row, 'id') as ProjectId, path: textOf(row, 'path'), createdAt: numberOf(row, 'created_at') };
}

/** Every row was made of its path, and every session is of the project at its path. */
export function projectProblems(db: DatabaseSync): string[] {
	const sound = new Map(
		createProjectTable(db)
			.find({})
			.map(({ id, path }) => [id.toString(), path]),
	);
	const changed = db
		.prepare('SELECT id FROM projects ORDER BY id')
		.all()
		.map((row) => textOf(row, 'id'))
		.filter((id) => !sound.has(id))
		.map((id) => `Table projects: the path of project ${id} was changed.`);
	const missing = db
		.prepare(`SELECT id, project_id, session ->> 'projectPath' AS path FROM sessions ORDER BY session_no`)
		.all()
		.filter((row) => sound.get(textOf(row, 'project_id')) !== row.path)
		.map((row) => `Table sessions: session ${textOf(row, 'id')} is not of the project at its path.`);
	return [...changed, ...missing];
}
