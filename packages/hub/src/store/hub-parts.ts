// The parts of a hub's storage over the statements of one of the databases.
import { textOf } from '@roost/store/row-values';
import { createHubAudit } from './audit-table.ts';
import { createHubCommands } from './command-table.ts';
import type { HubStore } from './hub-store.ts';
import { createHubLogs } from './log-tables.ts';
import { createHubPeople } from './people-tables.ts';
import { createHubRows } from './row-tables.ts';
import { createHubRunners } from './runner-table.ts';
import { type Sql, settle } from './sql.ts';
import type { LogWriter } from './take-batch.ts';
import { createHubWords, type WordIndex } from './word-tables.ts';

export function createHubParts(sql: Sql, writer: LogWriter, index: WordIndex): Omit<HubStore, typeof Symbol.asyncDispose> {
	return {
		logs: createHubLogs(sql, writer),
		rows: createHubRows(sql),
		words: createHubWords(sql, index),
		runners: createHubRunners(sql),
		commands: createHubCommands(sql),
		people: createHubPeople(sql),
		audit: createHubAudit(sql),
		keep: (name, value) =>
			settle(async () => {
				await sql.run('INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [name, value]);
				const [row = {}] = await sql.all('SELECT value FROM settings WHERE name = $1', [name]);
				return textOf(row, 'value');
			}),
	};
}
