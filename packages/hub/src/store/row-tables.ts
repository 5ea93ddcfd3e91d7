// The tables of the runners. A row is returned as its runner sent it: it may have fields that this hub does not know.

import type { AskRow } from '@roost/protocol/ask';
import type { RunnerId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { SessionRow } from '@roost/protocol/session-row';
import { type Row, textOf } from '@roost/store/row-values';
import type { PromptQueue } from '@roost/store/store';
import type { HubRows, HubSessionsQuery } from './hub-store.ts';
import { NO_LIMIT, type Sql, type SqlValue, settle } from './sql.ts';

export function createHubRows(sql: Sql): HubRows {
	async function sessions(runner: RunnerId, query: HubSessionsQuery & { id?: string }): Promise<SessionRow[]> {
		const { text, values } = toSessionsSelect(runner, query);
		return toDocuments(await sql.all(text, values));
	}
	async function select<T>(table: string, conditions: readonly Condition[], order: string): Promise<T[]> {
		const { where, values } = toWhere(conditions);
		return toDocuments<T>(await sql.all(`SELECT document FROM ${table} WHERE ${where} ORDER BY ${order}`, values));
	}
	async function changed({ runnerId, epoch }: LogName, { after, upTo }: { after: number; upTo: number }) {
		const conditions: Condition[] = [
			[OF_CURRENT, runnerId],
			['epoch = ?)', epoch],
			['seq > ?', after],
			['seq <= ?', upTo],
		];
		const asks = await select<AskRow>('asks', conditions, 'opened_at, id');
		const queues = await select<PromptQueue>('queues', conditions, 'session_id');
		return { asks, queues };
	}
	return {
		sessions: (runner, query) => settle(() => sessions(runner, query)),
		session: (runner, id) => settle(async () => (await sessions(runner, { id, limit: 1 }))[0]),
		asks: (runner, { all, id }) => {
			const state: Condition = ['state = ?', all ? undefined : 'pending'];
			return settle(() => select('asks', [[OF_RUNNER, runner], state, ['id = ?', id]], 'opened_at, id'));
		},
		queues: (runner, id) => {
			const chosen: Condition = id === undefined ? ['prompts > ?', 0] : ['session_id = ?', id];
			return settle(() => select('queues', [[OF_RUNNER, runner], chosen], 'session_id'));
		},
		changed: (log, range) => settle(() => changed(log, range)),
		usage: (runner, { since, until }) => {
			const days: Condition[] = [
				['day >= ?', since],
				['day <= ?', until],
			];
			return settle(() => select('usage_days', [[OF_RUNNER, runner], ...days], 'day, session_id, model'));
		},
	};
}

/** `?` stands for the value; without a value there is no condition. */
type Condition = readonly [text: string, value: SqlValue | undefined];

/** Its epoch is the next condition. */
const OF_CURRENT = 'runner_no = (SELECT runner_no FROM runners JOIN logs USING (runner_no) WHERE ended_at IS NULL AND id = ?';
const OF_RUNNER = 'runner_no = (SELECT runner_no FROM runners WHERE id = ?)';

function toSessionsSelect(runner: RunnerId, query: HubSessionsQuery & { id?: string }) {
	const { id, projectId, projectPath, status, archived, after, limit } = query;
	const { where, values } = toWhere([
		[OF_RUNNER, runner],
		['id = ?', id],
		['project_id = ?', projectId],
		['project_path = ?', projectPath],
		['status = ?', status],
		['archived = ?', archived === undefined ? undefined : Number(archived)],
		['(started_at, id) < (SELECT started_at, id FROM sessions last WHERE last.runner_no = sessions.runner_no AND id = ?)', after],
	]);
	const text = `SELECT document FROM sessions WHERE ${where} ORDER BY started_at DESC, id DESC LIMIT $${values.length + 1}`;
	return { text, values: [...values, limit ?? NO_LIMIT] };
}

/** Only the given conditions, so that the database uses their index. */
function toWhere(conditions: readonly Condition[]): { where: string; values: SqlValue[] } {
	const values: SqlValue[] = [];
	const texts = conditions.flatMap(([text, value]) => {
		if (value === undefined) return [];
		values.push(value);
		return [text.replace('?', () => `$${values.length}`)];
	});
	return { where: texts.join(' AND '), values };
}

function toDocuments<T>(rows: readonly Row[]): T[] {
	return rows.map((row) => JSON.parse(textOf(row, 'document')));
}
