// Whether the record can be opened and its heads lie beside it; proving all of it is what "roost verify" does.
import { existsSync } from 'node:fs';
import type { Home } from '../home.ts';
import { openRecord } from '../record.ts';
import { fail, fine, type Said } from './finding.ts';

export type RecordCheck = { said: Said[]; lastEventAt?: number };

export async function checkRecord(env: NodeJS.ProcessEnv, home: Pick<Home, 'database'>): Promise<RecordCheck> {
	if (!existsSync(home.database)) return { said: [fine('empty so far')] };
	if (!existsSync(`${home.database}.heads`)) {
		const says = `${home.database}.heads is missing, so that a record which was cut short would not show`;
		return { said: [fail(says, 'Run "roost verify"; if you did not remove that file, find out who did.')] };
	}
	const opened = openRecord(env);
	if (!opened.ok) return { said: [fail(opened.error.message, 'Run "roost verify" to see what is wrong.')] };
	await using record = opened.value;
	const rows = record.sessions();
	if (!rows.ok) return { said: [fail(rows.error.message, 'Run "roost verify" to see what is wrong.')] };
	const says = `${home.database} opens, sessions: ${rows.value.length}; "roost verify" proves it`;
	return { said: [fine(says)], lastEventAt: Math.max(0, ...rows.value.map((row) => row.lastEventAt)) };
}
