// Whether the record can be opened and its heads lie beside it; proving all of it is what "roost verify" does.
import { existsSync } from 'node:fs';
import type { Home } from '@roost/home/home';
import { loadRecord } from '../runner/open-runner.ts';
import { fail, fine, type Said } from './finding.ts';

export type RecordCheck = { said: Said[]; lastEventAt?: number };

export async function checkRecord(env: NodeJS.ProcessEnv, home: Pick<Home, 'database' | 'runnerId'>): Promise<RecordCheck> {
	if (!existsSync(home.database)) {
		const left = [`${home.database}.heads`, home.runnerId].find(existsSync);
		if (left === undefined) return { said: [fine('empty so far')] };
		const says = `${home.database} is missing, and ${left} shows that there was a record`;
		return { said: [fail(says, 'Restore the database; if you did not remove it, find out who did.')] };
	}
	if (!existsSync(`${home.database}.heads`)) {
		const says = `${home.database}.heads is missing, so that a record which was cut short would not show`;
		return { said: [fail(says, 'Run "roost verify"; if you did not remove that file, find out who did.')] };
	}
	const { openRecord } = await loadRecord();
	const opened = openRecord(env);
	if (!opened.ok) return { said: [fail(opened.error.message, 'Run "roost verify" to see what is wrong.')] };
	await using record = opened.value;
	const rows = record.sessions();
	if (!rows.ok) return { said: [fail(rows.error.message, 'Run "roost verify" to see what is wrong.')] };
	const checked = record.checkedRules();
	if (!checked.ok) return { said: [fail(checked.error.message, 'Run "roost verify" to see what is wrong.')] };
	const [problem] = checked.value.problems;
	if (problem !== undefined) return { said: [fail(problem, 'Run "roost verify", and find out who changed the rules.')] };
	const says = `${home.database} opens, sessions: ${rows.value.length}; "roost verify" proves it`;
	return { said: [fine(says)], lastEventAt: Math.max(0, ...rows.value.map((row) => row.lastEventAt)) };
}
