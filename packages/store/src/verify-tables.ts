// Compares every table with the facts it is derived from, to find rows that were changed without a fact.
import type { DatabaseSync } from 'node:sqlite';
import { canonicalJson } from '@roost/core/rules/canonical-json';
import { type AskFact, differingFields, foldAskFact } from '@roost/core/session/ask-facts';
import type { Prompts } from '@roost/core/session/prompts';
import { createSessionState, evolveSession } from '@roost/core/session/state';
import { countReport, type UsageDay } from '@roost/core/usage/usage-days';
import { toSessionRow } from '@roost/core/views/session-row';
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { askRow } from '@roost/protocol/ask';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { type SessionRow, sessionRow } from '@roost/protocol/session-row';
import { usageReports } from './prepared-append.ts';
import { currentProjectId } from './project-id.ts';
import { projectProblems } from './project-table.ts';
import { createQueueTable } from './queue-table.ts';
import { allRows, lineOf, numberOf, parsedOf, type Row, textOf } from './row-values.ts';
import { createRuleTable, readCheckedRules } from './rule-table.ts';
import { inTransaction } from './transaction.ts';
import { markProblems, positionProblems, searchProblems } from './verify-index.ts';

/** What the facts of all streams say, as far as they were read. */
type Folded = { sessions: Set<string>; asks: Map<AskId, AskFact>; usage: Map<string, UsageDay[]> };

const MOST_PROBLEMS = 100;

export function verifyTables(db: DatabaseSync): string[] {
	return inTransaction(db, 'read', () => {
		const facts: Folded = { sessions: new Set(), asks: new Map(), usage: new Map() };
		const streams = allRows(db, 'SELECT stream_no, stream FROM streams ORDER BY stream_no');
		const problems = [
			...streams.flatMap((row) => sessionProblems(db, numberOf(row, 'stream_no'), textOf(row, 'stream'), facts)),
			...unexplainedRows(db, facts.sessions),
			...projectProblems(db),
			...askProblems(db, facts.asks),
			...usageProblems(db, facts.usage),
			...readCheckedRules(db, createRuleTable(db).all()).problems,
			...searchProblems(db),
			...markProblems(db),
			...positionProblems(db),
		];
		const more = problems.length > MOST_PROBLEMS ? ['There are more problems like these.'] : [];
		return [...problems.slice(0, MOST_PROBLEMS), ...more];
	});
}

/** Folds one stream, as a runner that resumes the session does, and compares the rows of the session with the result. */
function sessionProblems(db: DatabaseSync, streamNo: number, stream: string, facts: Folded): string[] {
	const id = stream as SessionId;
	const state = createSessionState(id);
	const view = createSessionView(id);
	const lines = db.prepare('SELECT line FROM events WHERE stream_no = ? ORDER BY offset');
	let projectId: SessionRow['projectId'] | undefined;
	for (const row of lines.iterate(streamNo)) {
		const stored = lineOf(row);
		if (stored === undefined) return [`Stream ${stream}: a line is not an event, so no table can be compared with it.`];
		projectId = currentProjectId(stored.projectId, stored.runnerId);
		evolveSession(state, stored.event);
		foldSessionView(view, stored.event);
		foldAskFact(facts.asks, state, stored.event);
		for (const report of usageReports([stored.event])) count(facts.usage, stored.sessionId, report);
	}
	// The stream of a runner is not a session.
	if (projectId === undefined || stream.startsWith('runner:')) return [];
	facts.sessions.add(stream);
	const kept = db.prepare('SELECT * FROM sessions WHERE id = ?').get(stream);
	if (kept === undefined) return [`Table sessions: the row of session ${stream} is missing.`];
	const row = parsedOf(kept, 'session', sessionRow);
	const expected = toSessionRow(view, { ...row, projectId });
	const fields = differing(row, sessionRow.parse(JSON.parse(JSON.stringify(toComparable(expected, row)))));
	if (textOf(kept, 'project_id') !== expected.projectId) fields.push('project_id');
	if (numberOf(kept, 'started_at') !== expected.startedAt) fields.push('started_at');
	const problems =
		fields.length === 0 ? [] : [`Table sessions: session ${stream} differs from its facts in ${fields.join(', ')}.`];
	return [...problems, ...queueProblems(db, stream, state.prompts), ...nativeIdProblems(db, expected)];
}

/** A row of an older version gets its later fields with the next event of its session. */
function toComparable(expected: SessionRow, { openAsks }: SessionRow): SessionRow {
	if (openAsks !== undefined) return expected;
	const { openAsks: _asks, tasks: _tasks, tokens: _tokens, costUsdEstimate: _cost, lastEvent: _last, ...older } = expected;
	return older;
}

function queueProblems(db: DatabaseSync, session: string, expected: Prompts): string[] {
	const isSame = canonicalJson(createQueueTable(db).read(session)) === canonicalJson(expected);
	return isSame ? [] : [`Table queues: session ${session} differs from its facts.`];
}

function differing(row: object, expected: object): string[] {
	const [left, right] = [new Map(Object.entries(row)), new Map(Object.entries(expected))];
	const keys = new Set([...left.keys(), ...right.keys()]);
	return [...keys].filter((key) => canonicalJson(left.get(key)) !== canonicalJson(right.get(key)));
}

function nativeIdProblems(db: DatabaseSync, { id, nativeIds }: SessionRow): string[] {
	const rows = db.prepare('SELECT native_id FROM native_ids WHERE session_id = ?').all(id);
	const kept = new Set(rows.map((row) => textOf(row, 'native_id')));
	// SQLite stores text as UTF-8, which has no half of a surrogate pair.
	const expected = new Set(nativeIds.map((native) => native.id.toWellFormed()));
	const differing = [...new Set([...kept, ...expected])].filter((native) => kept.has(native) !== expected.has(native));
	return differing.map((native) => `Table native_ids: ${JSON.stringify(native)} of session ${id} differs from its facts.`);
}

function count(usage: Map<string, UsageDay[]>, sessionId: string, report: Parameters<typeof countReport>[1]): void {
	const kept = usage.get(sessionId) ?? [];
	const changed = countReport(kept, report);
	const isChanged = (row: UsageDay) => changed.some(({ day, model }) => day === row.day && model === row.model);
	usage.set(sessionId, [...kept.filter((row) => !isChanged(row)), ...changed]);
}

function unexplainedRows(db: DatabaseSync, sessions: ReadonlySet<string>): string[] {
	const columns = { sessions: 'id', native_ids: 'session_id', queues: 'session_id' };
	return Object.entries(columns).flatMap(([table, column]) => {
		const ids = allRows(db, `SELECT DISTINCT ${column} AS id FROM ${table}`).map((row) => textOf(row, 'id'));
		return ids.filter((id) => !sessions.has(id)).map((id) => `Table ${table}: no fact explains session ${id}.`);
	});
}

function askProblems(db: DatabaseSync, facts: ReadonlyMap<AskId, AskFact>): string[] {
	const problems: string[] = [];
	const seen = new Set<string>();
	for (const kept of db.prepare('SELECT * FROM asks ORDER BY ask_no').iterate()) {
		const row = parsedOf(kept, 'ask', askRow);
		const id = textOf(kept, 'id');
		const fact = facts.get(row.id);
		seen.add(id);
		if (fact === undefined || row.id !== id) {
			problems.push(`Table asks: no fact explains ask ${id}.`);
			continue;
		}
		const fields = [...differingFields(row, fact), ...differingColumns(kept, row)];
		if (fields.length > 0) problems.push(`Table asks: ask ${id} differs from its facts in ${fields.join(', ')}.`);
	}
	const missing = [...facts.keys()].filter((id) => !seen.has(id));
	return [...problems, ...missing.map((id) => `Table asks: the row of ask ${id} is missing.`)];
}

/** The columns for lookups that differ from the row itself. */
function differingColumns(kept: Row, row: { sessionId: string; state: string; openedAt: number }): string[] {
	const columns = { session_id: row.sessionId, state: row.state, opened_at: row.openedAt };
	return Object.entries(columns).flatMap(([column, value]) => (kept[column] === value ? [] : column));
}

/** By session and model: the day of a report depends on the time zone it was counted in. */
function usageProblems(db: DatabaseSync, facts: ReadonlyMap<string, readonly UsageDay[]>): string[] {
	const expected = new Map<string, number>();
	const kept = new Map<string, number>();
	const add = (sums: Map<string, number>, key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount);
	for (const [session, days] of facts) {
		for (const { model, usage } of days)
			for (const [name, amount] of Object.entries(usage)) add(expected, keyOf(session, model, name), amount);
	}
	for (const row of db.prepare('SELECT * FROM usage_days').iterate()) {
		for (const [column, name] of USAGE_COLUMNS) {
			const amount = row[column];
			if (typeof amount === 'number') add(kept, keyOf(textOf(row, 'session_id'), textOf(row, 'model'), name), amount);
		}
	}
	const keys = [...new Set([...expected.keys(), ...kept.keys()])];
	const differing = keys.filter((key) => (expected.get(key) ?? 0) !== (kept.get(key) ?? 0));
	return differing.map((key) => `Table usage_days: ${key} differs from its facts.`);
}

const USAGE_COLUMNS = [
	['input', 'input_tokens'],
	['output', 'output_tokens'],
	['cache_read', 'cache_read_tokens'],
	['cache_write', 'cache_write_tokens'],
	['reasoning', 'reasoning_tokens'],
] as const;

function keyOf(session: string, model: string, name: string): string {
	return `${name} of ${model.toWellFormed()} in session ${session}`;
}
