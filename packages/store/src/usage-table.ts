// Token usage of each session by day and model, counted in the transaction of each report, so that no query has to read the log.
import type { DatabaseSync } from 'node:sqlite';
import type { UsageRow } from '@roost/core/usage/group-usage';
import { countReport, type UsageDay, type UsageOfDay } from '@roost/core/usage/usage-days';
import { usageReports } from './prepared-append.ts';
import { lineOf, numberOf, type Row, textOf } from './row-values.ts';
import type { UsageDaysQuery } from './store.ts';

export type UsageTable = ReturnType<typeof createUsageTable>;

export const USAGE_TABLES = `
	CREATE TABLE usage_days (
		session_id TEXT NOT NULL,
		day TEXT NOT NULL,
		model TEXT NOT NULL,
		input REAL NOT NULL,
		output REAL NOT NULL,
		cache_read REAL NOT NULL,
		cache_write REAL NOT NULL,
		reasoning REAL,
		PRIMARY KEY (session_id, day, model)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX usage_by_day ON usage_days (day);
`;

export function createUsageTable(db: DatabaseSync) {
	const addReport = createReportCounter(db, `${COLUMNS}, position`);
	const rows = `
		SELECT usage_days.*, coalesce(project_id, '') AS project_id, coalesce(session ->> 'agent', '') AS agent
		FROM usage_days LEFT JOIN sessions ON sessions.id = usage_days.session_id
	`;
	const select = db.prepare(`
		${rows} WHERE (:since IS NULL OR day >= :since) AND (:until IS NULL OR day <= :until) ORDER BY day, session_id, model
	`);
	const selectChanged = db.prepare(`
		${rows} WHERE usage_days.position > ? AND usage_days.position <= ? ORDER BY usage_days.position
	`);

	return {
		/** To be called inside the transaction that appends. */
		count(sessionId: string, reports: readonly UsageOfDay[], position: number): void {
			for (const report of reports) addReport(sessionId, report, position);
		},
		find: ({ since, until }: UsageDaysQuery): UsageRow[] =>
			select.all({ since: since ?? null, until: until ?? null }).map(toUsageRow),
		/** Rows that changed between two positions, in that order. */
		changed: (from: number, to: number) => selectChanged.all(from, to).map(toUsageRow),
	};
}

const COLUMNS = 'session_id, day, model, input, output, cache_read, cache_write, reasoning';

/** Adds a report to the days of a session; `more` are the values of the columns after the first ones. */
function createReportCounter(db: DatabaseSync, columns: string) {
	const ofSession = db.prepare('SELECT * FROM usage_days WHERE session_id = ?');
	const places = columns.replaceAll(/\w+/g, '?');
	const upsert = db.prepare(`INSERT OR REPLACE INTO usage_days (${columns}) VALUES (${places})`);
	return (sessionId: string, report: UsageOfDay, ...more: number[]): void => {
		for (const { day, model, usage } of countReport(ofSession.all(sessionId).map(toUsageDay), report)) {
			const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens = null } = usage;
			const tokens = [input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens];
			upsert.run(sessionId, day, model, ...tokens, ...more);
		}
	};
}

/** From the log, for a file from before this table. A line that is not an event is left out: verify reports it. */
export function recountUsage(db: DatabaseSync): void {
	// Without the columns that later migrations add.
	const addReport = createReportCounter(db, COLUMNS);
	const lines = db.prepare(`SELECT line FROM events WHERE instr(line, '"kind":"usage.update"') > 0 ORDER BY position`);
	for (const row of lines.iterate()) {
		const stored = lineOf(row);
		if (stored === undefined) continue;
		for (const report of usageReports([stored.event])) addReport(stored.sessionId, report);
	}
}

function toUsageRow(row: Row): UsageRow {
	const place = { sessionId: textOf(row, 'session_id'), agent: textOf(row, 'agent'), projectId: textOf(row, 'project_id') };
	return { ...toUsageDay(row), ...place };
}

function toUsageDay(row: Row): UsageDay {
	const usage = {
		input_tokens: numberOf(row, 'input'),
		output_tokens: numberOf(row, 'output'),
		cache_read_tokens: numberOf(row, 'cache_read'),
		cache_write_tokens: numberOf(row, 'cache_write'),
	};
	const reasoning = row.reasoning === null ? {} : { reasoning_tokens: numberOf(row, 'reasoning') };
	return { day: textOf(row, 'day'), model: textOf(row, 'model'), usage: { ...usage, ...reasoning } };
}
