// Commands on their way to a runner, and their outcomes.
import { canonicalJson } from '@roost/core/rules/canonical-json';
import { AppError } from '@roost/protocol/app-error';
import type { LinkCall, LinkOutcome } from '@roost/protocol/hub/link-frames';
import type { RunnerId } from '@roost/protocol/ids';
import { numberOf, type Row, textOf } from '@roost/store/row-values';
import type { HubCommand, HubCommands } from './hub-store.ts';
import { notPaired } from './log-tables.ts';
import { type Sql, settle } from './sql.ts';

export function createHubCommands(sql: Sql): HubCommands {
	const select = async (rest: string, values: readonly (string | number)[]) =>
		(await sql.all(`SELECT ${COLUMNS} FROM commands ${rest}`, values)).map(toCommand);
	const listed = `(SELECT value FROM ${sql.listed('$1')} AS listed)`;
	const ofRunners = `runner_no IN (SELECT runner_no FROM runners WHERE runners.id IN ${listed})`;
	const pending = `WHERE ${ofRunners} AND state = 'open' ORDER BY n`;
	const find = async (id: string) => (await select('WHERE commands.id = $1', [id]))[0];

	async function open(command: Parameters<HubCommands['open']>[0]): Promise<HubCommand> {
		const { id, runner, call, kind, createdAt, expiresAt } = command;
		await sql.run(INSERT, [id, runner, JSON.stringify(call), kind, createdAt, expiresAt]);
		const stored = await find(id);
		if (stored === undefined) throw notPaired(runner);
		if (stored.runner !== runner || !isSame(wordsOf(stored.call), wordsOf(call))) throw otherCall(id);
		return stored;
	}

	async function close(runner: RunnerId, id: string, outcome: LinkOutcome): Promise<HubCommand | undefined> {
		const command = await find(id);
		if (command?.runner !== runner) return undefined;
		if (command.outcome !== null) return command;
		await sql.run(CLOSE, [id, JSON.stringify(outcome)]);
		return await find(id);
	}

	return {
		open: (command) => settle(() => open(command)),
		pending: (runners) => settle(() => select(pending, [JSON.stringify(runners)])),
		find: (ids) => settle(() => select(`WHERE commands.id IN ${listed}`, [JSON.stringify(ids)])),
		countOpen: () =>
			settle(async () => {
				const [row = {}] = await sql.all("SELECT count(*) AS n FROM commands WHERE state = 'open'");
				return numberOf(row, 'n');
			}),
		list: ({ runner, limit }) =>
			settle(() =>
				runner === undefined
					? select('ORDER BY n DESC LIMIT $1', [limit])
					: select(`WHERE ${OF_RUNNER} ORDER BY n DESC LIMIT $2`, [runner, limit]),
			),
		close: (runner, id, outcome) => settle(() => close(runner, id, outcome)),
		cancel: (id, at) =>
			settle(async () => {
				const cancel = "UPDATE commands SET state = 'cancelled', cancelled_at = $2 WHERE id = $1 AND state = 'open'";
				return (await sql.run(cancel, [id, at])) > 0;
			}),
		expire: (now) => settle(async () => (await sql.all(EXPIRE, [now])).sort(byNumber).map(toCommand)),
	};
}

const RUNNER = '(SELECT runners.id FROM runners WHERE runners.runner_no = commands.runner_no) AS runner';
const COLUMNS = `*, ${RUNNER}`;
const OF_RUNNER = 'runner_no = (SELECT runner_no FROM runners WHERE runners.id = $1)';

const INSERT = `
	INSERT INTO commands (id, runner_no, call, kind, state, created_at, expires_at)
	SELECT CAST($1 AS TEXT), runner_no, CAST($3 AS TEXT), CAST($4 AS TEXT), 'open', CAST($5 AS DOUBLE PRECISION), CAST($6 AS DOUBLE PRECISION) FROM runners WHERE id = $2
	ON CONFLICT (id) DO NOTHING
`;

const CLOSE = "UPDATE commands SET state = 'done', outcome = $2 WHERE id = $1 AND outcome IS NULL";

const EXPIRE = `UPDATE commands SET state = 'expired' WHERE state = 'open' AND expires_at <= $1 RETURNING ${COLUMNS}`;

function byNumber(a: Row, b: Row): number {
	return numberOf(a, 'n') - numberOf(b, 'n');
}

/** Without the seal: a face that repeats a command signs it again, and the stored signature is the one that is delivered. */
function wordsOf({ seal: _, ...words }: LinkCall): Omit<LinkCall, 'seal'> {
	return words;
}

/** As JSON: a member that is undefined is not stored. */
function isSame(stored: unknown, given: unknown): boolean {
	return canonicalJson(stored) === canonicalJson(JSON.parse(JSON.stringify(given)));
}

function toCommand(row: Row): HubCommand {
	return {
		id: textOf(row, 'id'),
		runner: textOf(row, 'runner') as RunnerId,
		call: JSON.parse(textOf(row, 'call')),
		kind: textOf(row, 'kind') as HubCommand['kind'],
		state: textOf(row, 'state') as HubCommand['state'],
		createdAt: numberOf(row, 'created_at'),
		expiresAt: numberOf(row, 'expires_at'),
		outcome: row.outcome === null ? null : JSON.parse(textOf(row, 'outcome')),
	};
}

function otherCall(id: string): AppError {
	return new AppError('conflict', `Another command has the id ${id}. Choose another id.`);
}
