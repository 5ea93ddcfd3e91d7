// The runners that were paired with the hub.
import { AppError } from '@roost/protocol/app-error';
import type { RunnerId } from '@roost/protocol/ids';
import { numberOf, type Row, textOf } from '@roost/store/row-values';
import type { HubRunner, HubRunners, RunnerHead } from './hub-store.ts';
import { notPaired } from './log-tables.ts';
import { type Sql, settle } from './sql.ts';

export function createHubRunners(sql: Sql): HubRunners {
	return {
		list: () => settle(async () => (await sql.all('SELECT * FROM runners ORDER BY name, id')).map(toRunner)),
		find: (id) => settle(async () => (await sql.all('SELECT * FROM runners WHERE id = $1', [id])).map(toRunner)[0]),
		pair: ({ id, name, publicKey, owner, pairedAt }) =>
			settle(async () => {
				const paired = await sql.run(PAIR, [id, name, publicKey, owner, pairedAt]);
				if (paired === 0) throw otherKey(id);
			}),
		noteLink: (id, { name, version, at }) =>
			settle(async () => {
				const [row] = await sql.all(NOTE_LINK, [id, name, version, at]);
				if (row === undefined) throw notPaired(id);
				return numberOf(row, 'links');
			}),
		noteSeen: (id, at) =>
			settle(async () => {
				await sql.run('UPDATE runners SET last_seen_at = $2 WHERE id = $1 AND last_seen_at < $2', [id, at]);
			}),
		heads: () => settle(async () => (await sql.all(HEADS)).map(toHead)),
		revoke: (id, at) =>
			settle(async () => {
				await sql.run('UPDATE runners SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [id, at]);
			}),
	};
}

const PAIR = `
	INSERT INTO runners (id, name, public_key, owner, version, paired_at, last_seen_at) VALUES ($1, $2, $3, $4, '', $5, $5)
	ON CONFLICT (id) DO UPDATE SET
		name = excluded.name, public_key = excluded.public_key, owner = excluded.owner, paired_at = excluded.paired_at,
		revoked_at = NULL
	WHERE runners.public_key = excluded.public_key OR runners.revoked_at IS NOT NULL
`;

const NOTE_LINK = `
	UPDATE runners SET
		name = $2, version = $3, links = links + 1, last_seen_at = CASE WHEN last_seen_at < $4 THEN $4 ELSE last_seen_at END
	WHERE id = $1 RETURNING links
`;

const HEADS = `
	SELECT id, name, version, revoked_at, links, epoch, last_seq
	FROM runners LEFT JOIN logs ON logs.runner_no = runners.runner_no AND ended_at IS NULL
`;

function toHead(row: Row): RunnerHead {
	const hasLog = row.epoch !== null;
	return {
		id: textOf(row, 'id') as RunnerId,
		name: textOf(row, 'name'),
		version: textOf(row, 'version'),
		isRevoked: row.revoked_at !== null,
		links: numberOf(row, 'links'),
		epoch: hasLog ? numberOf(row, 'epoch') : undefined,
		lastSeqNo: hasLog ? numberOf(row, 'last_seq') : 0,
	};
}

function toRunner(row: Row): HubRunner {
	return {
		id: textOf(row, 'id') as RunnerId,
		name: textOf(row, 'name'),
		publicKey: textOf(row, 'public_key'),
		owner: textOf(row, 'owner'),
		version: textOf(row, 'version'),
		pairedAt: numberOf(row, 'paired_at'),
		lastSeenAt: numberOf(row, 'last_seen_at'),
		revokedAt: row.revoked_at === null ? null : numberOf(row, 'revoked_at'),
	};
}

function otherKey(id: RunnerId): AppError {
	return new AppError('conflict', `Runner ${id} is already paired with another key. Revoke it first.`);
}
