// Gives projects ids of their own in a file of an older Roost, where a project's path was its id. Facts do not change.
import type { DatabaseSync } from 'node:sqlite';
import { type Rule, rule } from '@roost/protocol/rule';
import { isProjectPath, toProjectId } from './project-id.ts';
import { allRows, lineOf, numberOf, textOf } from './row-values.ts';

const PROJECT_TABLE = `
	CREATE TABLE projects (id TEXT PRIMARY KEY, path TEXT NOT NULL, created_at REAL NOT NULL) STRICT, WITHOUT ROWID;
	CREATE INDEX projects_by_path ON projects (path);
`;

export function nameProjects(db: DatabaseSync): void {
	db.exec(PROJECT_TABLE);
	const first = db.prepare('SELECT runner FROM runners ORDER BY runner_no LIMIT 1').get();
	// Nothing was recorded yet.
	if (first === undefined) return;
	const insert = db.prepare('INSERT OR IGNORE INTO projects (id, path, created_at) VALUES (?, ?, ?)');
	const keep: Keep = (path, runner = textOf(first, 'runner'), createdAt) => {
		const id = toProjectId(runner, path);
		insert.run(id, path, createdAt);
		return id;
	};
	nameInSessions(db, keep);
	nameInRules(db, keep);
}

/** Returns the id of the project at that path; without a runner, of the first one. */
type Keep = (path: string, runner: string | undefined, createdAt: number) => string;

function nameInSessions(db: DatabaseSync, keep: Keep): void {
	const lastLine = db.prepare(
		'SELECT line FROM events JOIN streams USING (stream_no) WHERE stream = ? ORDER BY offset DESC LIMIT 1',
	);
	const update = db.prepare(`UPDATE sessions SET project_id = ?, session = json_set(session, '$.projectId', ?) WHERE id = ?`);
	// A row that is not JSON stays as it is: verify reports it.
	for (const row of allRows(db, 'SELECT id, project_id, started_at FROM sessions WHERE json_valid(session)')) {
		const [session, path] = [textOf(row, 'id'), textOf(row, 'project_id')];
		if (!isProjectPath(path)) continue;
		const last = lastLine.get(session);
		const id = keep(path, last && lineOf(last)?.runnerId, numberOf(row, 'started_at'));
		update.run(id, id, session);
	}
}

function nameInRules(db: DatabaseSync, keep: Keep): void {
	const facts = db.prepare(`SELECT line FROM events WHERE instr(line, '"kind":"rule.added"') > 0 ORDER BY position`);
	const runners = new Map<string, string>();
	for (const row of facts.iterate()) {
		const stored = lineOf(row);
		if (stored?.event.kind === 'rule.added') runners.set(stored.event.data.rule.id, stored.runnerId);
	}
	const update = db.prepare('UPDATE rules SET rule = ? WHERE id = ?');
	for (const row of allRows(db, 'SELECT id, rule FROM rules WHERE json_valid(rule)')) {
		const kept = rule.safeParse(JSON.parse(textOf(row, 'rule'))).data;
		if (kept === undefined || !namesPath(kept)) continue;
		const scopeId = keep(kept.scopeId, runners.get(kept.id), kept.createdAt);
		// In the order of the schema, as every row is written.
		update.run(JSON.stringify(rule.parse({ ...kept, scopeId, projectPath: kept.scopeId })), textOf(row, 'id'));
	}
}

/** Whether a rule is from before projects had ids. */
export function namesPath({ scope, scopeId }: Rule): boolean {
	return scope === 'project' && isProjectPath(scopeId);
}
