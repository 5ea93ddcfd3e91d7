// What each session used by day and model, counted in the transaction that appends the report: no question has to read the log.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { UsageRow } from '@roost/core/usage/group-usage';
import { countReport, type UsageDay, type UsageOfDay } from '@roost/core/usage/usage-days';
import { parseLine } from './parse-line.ts';
import { usageReports } from './prepared-append.ts';
import { numberOf, textOf } from './row-values.ts';
import type { UsageDaysQuery } from './store.ts';

export type UsageTable = {
	/** To be called inside the transaction that appends. */
	count(sessionId: string, reports: readonly UsageOfDay[]): void;
	find(query: UsageDaysQuery): UsageRow[];
};

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

type Row = Record<string, SQLOutputValue>;

export function createUsageTable(db: DatabaseSync): UsageTable {
	const ofSession = db.prepare('SELECT * FROM usage_days WHERE session_id = ?');
	const upsert = db.prepare(`
		INSERT OR REPLACE INTO usage_days (session_id, day, model, input, output, cache_read, cache_write, reasoning)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
	`);
	const select = db.prepare(`
		SELECT usage_days.*, coalesce(project_id, '') AS project_id, coalesce(session ->> 'agent', '') AS agent
		FROM usage_days LEFT JOIN sessions ON sessions.id = usage_days.session_id
		WHERE (:since IS NULL OR day >= :since) AND (:until IS NULL OR day <= :until)
		ORDER BY day, session_id, model
	`);

	function save(sessionId: string, { day, model, usage }: UsageDay): void {
		const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens = null } = usage;
		upsert.run(sessionId, day, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens);
	}

	return {
		count(sessionId, reports) {
			for (const report of reports) {
				const kept = ofSession.all(sessionId).map(toUsageDay);
				for (const changed of countReport(kept, report)) save(sessionId, changed);
			}
		},
		find: ({ since, until }) =>
			select.all({ since: since ?? null, until: until ?? null }).map((row) => ({
				...toUsageDay(row),
				sessionId: textOf(row, 'session_id'),
				agent: textOf(row, 'agent'),
				projectId: textOf(row, 'project_id'),
			})),
	};
}

/** From the log, for a file that was written before there was a table. A line that is no event any more is left out: verify names it. */
export function recountUsage(db: DatabaseSync): void {
	const table = createUsageTable(db);
	const lines = db.prepare(`SELECT line FROM events WHERE instr(line, '"kind":"usage.update"') > 0 ORDER BY position`);
	for (const row of lines.iterate()) {
		const stored = parseLine(textOf(row, 'line'));
		if (stored !== undefined) table.count(stored.sessionId, usageReports([stored.event]));
	}
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
