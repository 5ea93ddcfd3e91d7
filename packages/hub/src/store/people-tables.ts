// Who may use the hub: devices, what their users may do, and invitations.
import { AppError } from '@roost/protocol/app-error';
import type { DeviceId, RunnerId } from '@roost/protocol/ids';
import { numberOf, type Row, textOf } from '@roost/store/row-values';
import type { Grant, HubDevice, HubPeople, Pairing } from './hub-store.ts';
import { type Sql, type SqlStatements, settle } from './sql.ts';

export function createHubPeople(sql: Sql): HubPeople {
	return {
		devices: () => settle(async () => (await sql.all(`${DEVICES} ORDER BY created_at, id`)).map(toDevice)),
		addDevice: (device) => settle(() => sql.transaction((inside) => addDevice(inside, device))),
		revokeDevice: (id, at) =>
			settle(async () => {
				await sql.run('UPDATE devices SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL', [id, at]);
			}),
		grants: () => settle(async () => (await sql.all('SELECT * FROM grants ORDER BY holder, runner, role')).map(toGrant)),
		setGrants: (user, grants) =>
			settle(() =>
				sql.transaction(async (inside) => {
					await lockUser(inside, user);
					await inside.run('DELETE FROM grants WHERE holder = $1', [user]);
					await addGrants(inside, user, grants);
				}),
			),
		addPairing: (pairing) => settle(() => addPairing(sql, pairing)),
		voidPairings: (at) =>
			settle(async () => {
				await sql.run('UPDATE pairings SET used_at = $1 WHERE used_at IS NULL', [at]);
			}),
		redeem: (codeHash, now) => settle(() => sql.transaction((inside) => redeem(inside, codeHash, now))),
	};
}

const DEVICES = 'SELECT * FROM devices WHERE revoked_at IS NULL';

async function addDevice(sql: SqlStatements, device: HubDevice): Promise<HubDevice> {
	const { id, publicKey, user, kind, name, origin, createdAt, lastSeenAt } = device;
	await sql.run('DELETE FROM devices WHERE public_key = $1 AND revoked_at IS NOT NULL', [publicKey]);
	await sql.run(
		`
		INSERT INTO devices (id, public_key, owner, kind, name, origin, created_at, last_seen_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
		`,
		[id, publicKey, user, kind, name, origin, createdAt, lastSeenAt],
	);
	const [stored] = await sql.all(`${DEVICES} AND public_key = $1`, [publicKey]);
	if (stored === undefined) throw new AppError('conflict', `Device ${id} is already paired with another key. Revoke it first.`);
	return toDevice(stored);
}

/** Two changes of the grants of a user wait for each other. */
async function lockUser(sql: SqlStatements, user: string): Promise<void> {
	await sql.run('INSERT INTO users (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name', [user]);
}

/** No runner is stored as an empty text, which is no id. */
async function addGrants(sql: SqlStatements, user: string, grants: readonly Omit<Grant, 'user'>[]): Promise<void> {
	for (const { runner, role } of grants) {
		const insert = 'INSERT INTO grants (holder, runner, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
		await sql.run(insert, [user, runner ?? '', role]);
	}
}

async function addPairing(sql: Sql, { codeHash, user, grants, by, expiresAt }: Pairing): Promise<void> {
	const added = await sql.run(
		`
		INSERT INTO pairings (code_hash, invited, grants, invited_by, expires_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING
		`,
		[codeHash, user, JSON.stringify(grants), JSON.stringify(by), expiresAt],
	);
	if (added === 0) throw new AppError('conflict', 'This pairing code was already created. Create another one.');
}

async function redeem(sql: SqlStatements, codeHash: string, now: number): Promise<Pairing | undefined> {
	const use = 'UPDATE pairings SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING *';
	const [row] = await sql.all(use, [codeHash, now]);
	if (row === undefined) return undefined;
	const pairing = toPairing(row);
	await lockUser(sql, pairing.user);
	await addGrants(sql, pairing.user, pairing.grants);
	return pairing;
}

function toDevice(row: Row): HubDevice {
	return {
		id: textOf(row, 'id') as DeviceId,
		name: textOf(row, 'name'),
		origin: textOf(row, 'origin'),
		publicKey: textOf(row, 'public_key'),
		createdAt: numberOf(row, 'created_at'),
		lastSeenAt: numberOf(row, 'last_seen_at'),
		user: textOf(row, 'owner'),
		kind: textOf(row, 'kind') as HubDevice['kind'],
	};
}

function toGrant(row: Row): Grant {
	const runner = textOf(row, 'runner');
	return {
		user: textOf(row, 'holder'),
		runner: runner === '' ? null : (runner as RunnerId),
		role: textOf(row, 'role') as Grant['role'],
	};
}

function toPairing(row: Row): Pairing {
	return {
		codeHash: textOf(row, 'code_hash'),
		user: textOf(row, 'invited'),
		grants: JSON.parse(textOf(row, 'grants')),
		by: JSON.parse(textOf(row, 'invited_by')),
		expiresAt: numberOf(row, 'expires_at'),
	};
}
