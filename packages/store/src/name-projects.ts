// Gives projects ids of their own in a file of an older Roost, where a project's path was its id. Facts stay as they are.
import type { DatabaseSync } from 'node:sqlite';
import { type Rule, rule } from '@roost/protocol/rule';
import { parseLine } from './parse-line.ts';
import { isProjectPath, toProjectId } from './project-id.ts';
import { numberOf, textOf } from './row-values.ts';

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
	// A row that is no JSON any more stays as it is: verify names it.
	for (const row of db.prepare('SELECT id, project_id, started_at FROM sessions WHERE json_valid(session)').all()) {
		const [session, path] = [textOf(row, 'id'), textOf(row, 'project_id')];
		if (!isProjectPath(path)) continue;
		const last = lastLine.get(session);
		const id = keep(path, last && parseLine(textOf(last, 'line'))?.runnerId, numberOf(row, 'started_at'));
		update.run(id, id, session);
	}
}

function nameInRules(db: DatabaseSync, keep: Keep): void {
	const facts = db.prepare(`SELECT line FROM events WHERE instr(line, '"kind":"rule.added"') > 0 ORDER BY position`);
	const runners = new Map<string, string>();
	for (const row of facts.iterate()) {
		const stored = parseLine(textOf(row, 'line'));
		if (stored?.event.kind === 'rule.added') runners.set(stored.event.data.rule.id, stored.runnerId);
	}
	const update = db.prepare('UPDATE rules SET rule = ? WHERE id = ?');
	for (const row of db.prepare('SELECT id, rule FROM rules WHERE json_valid(rule)').all()) {
		const kept = rule.safeParse(JSON.parse(textOf(row, 'rule'))).data;
		if (kept === undefined || !namesPath(kept)) continue;
		const scopeId = keep(kept.scopeId, runners.get(kept.id), kept.createdAt);
		// In the order of the schema, as every row is written.
		update.run(JSON.stringify(rule.parse({ ...kept, scopeId, projectPath: kept.scopeId })), textOf(row, 'id'));
	}
}

/** A rule as it was written before projects had ids. */
export function namesPath({ scope, scopeId }: Rule): boolean {
	return scope === 'project' && isProjectPath(scopeId);
}
