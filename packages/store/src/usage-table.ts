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
	count(sessionId: string, reports: readonly UsageOfDay[], position: number): void;
	find(query: UsageDaysQuery): UsageRow[];
	/** Those that changed between two places, in that order. */
	changed(from: number, to: number): UsageRow[];
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
		INSERT OR REPLACE INTO usage_days (${COLUMNS}, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
	`);
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
		count(sessionId, reports, position) {
			for (const report of reports) {
				const kept = ofSession.all(sessionId).map(toUsageDay);
				for (const changed of countReport(kept, report)) upsert.run(...toValues(sessionId, changed), position);
			}
		},
		find: ({ since, until }) => select.all({ since: since ?? null, until: until ?? null }).map(toUsageRow),
		changed: (from, to) => selectChanged.all(from, to).map(toUsageRow),
	};
}

const COLUMNS = 'session_id, day, model, input, output, cache_read, cache_write, reasoning';

function toValues(sessionId: string, { day, model, usage }: UsageDay) {
	const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens = null } = usage;
	return [sessionId, day, model, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens] as const;
}

/** From the log, for a file that was written before there was a table. A line that is no event any more is left out: verify names it. */
export function recountUsage(db: DatabaseSync): void {
	const ofSession = db.prepare('SELECT * FROM usage_days WHERE session_id = ?');
	// As the table was then: the step that came after brought more columns.
	const upsert = db.prepare(`INSERT OR REPLACE INTO usage_days (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
	const lines = db.prepare(`SELECT line FROM events WHERE instr(line, '"kind":"usage.update"') > 0 ORDER BY position`);
	for (const row of lines.iterate()) {
		const stored = parseLine(textOf(row, 'line'));
		if (stored === undefined) continue;
		for (const report of usageReports([stored.event])) {
			const kept = ofSession.all(stored.sessionId).map(toUsageDay);
			for (const changed of countReport(kept, report)) upsert.run(...toValues(stored.sessionId, changed));
		}
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
