// Checks a database before a hub uses it, and applies the missing steps of its schema.
import { AppError } from '@roost/protocol/app-error';
import { newerSchema } from '@roost/store/migrations';
import { numberOf } from '@roost/store/row-values';
import pg from 'pg';
import { POSTGRES_TABLES_1 } from './hub-tables.ts';
import { type Place, toPostgresError } from './postgres-error.ts';
import { TAKE_FUNCTION_1 } from './postgres-take.ts';
import { POSTGRES_WORDS_2 } from './word-steps.ts';

/** One step per schema version; a step that was released is never changed. */
const STEPS = [`${POSTGRES_TABLES_1}${TAKE_FUNCTION_1}`, POSTGRES_WORDS_2] as const;

/** Of all hubs that start at once, one migrates and the others wait. */
const LOCK = 0x52535448;
const CHECK_MS = 3_000;
/** A step may rewrite a large table. */
const STEP_MS = 600_000;

export async function preparePostgres(url: string, place: Place): Promise<void> {
	const version = await connected({ url, place, limitMs: CHECK_MS }, async (client) => {
		await requireDurable(client, place);
		return await knownVersion(client, place);
	});
	if (version < STEPS.length) await connected({ url, place, limitMs: STEP_MS }, (client) => migrate(client, place));
}

type Connection = { url: string; place: Place; limitMs: number };

async function connected<T>({ url, place, limitMs }: Connection, action: (client: pg.Client) => Promise<T>): Promise<T> {
	const limits = { connectionTimeoutMillis: CHECK_MS, query_timeout: limitMs };
	const client = new pg.Client({ connectionString: url, application_name: 'roost hub', ...limits });
	// Reported by the statement.
	client.on('error', () => undefined);
	try {
		await client.connect();
		return await action(client);
	} catch (cause) {
		throw toPostgresError(cause, place);
	} finally {
		await client.end();
	}
}

/** An acknowledged line must be on disk. */
async function requireDurable(client: pg.Client, { title }: Place): Promise<void> {
	const setting = async (name: string) => String((await client.query(`SHOW ${name}`)).rows[0]?.[name]);
	for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
		if ((await setting(name)) === 'off') throw unusable(`${title} has ${name} = off and may lose data. Set it to on and retry.`);
	const encoding = await setting('server_encoding');
	if (encoding !== 'UTF8') throw unusable(`${title} has the encoding ${encoding}. Create it with "createdb -E UTF8" and retry.`);
	if (Number(await setting('server_version_num')) < OLDEST)
		throw unusable(`${title} runs an old Postgres. Update it to 14 or newer.`);
}

const OLDEST = 140_000;

async function migrate(client: pg.Client, place: Place): Promise<void> {
	await client.query('BEGIN');
	await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
	const version = await knownVersion(client, place);
	for (const step of STEPS.slice(version)) await client.query(step);
	if (version === 0) await client.query('CREATE TABLE roost_hub (version INTEGER NOT NULL); INSERT INTO roost_hub VALUES (0)');
	if (version < STEPS.length) await client.query('UPDATE roost_hub SET version = $1', [STEPS.length]);
	await client.query('COMMIT');
}

/** 0 when it is empty. A database with tables of another program, or of a newer Roost, is refused. */
async function knownVersion(client: pg.Client, { title }: Place): Promise<number> {
	const { rows } = await client.query(`
		SELECT count(*)::integer AS tables, count(*) FILTER (WHERE tablename = 'roost_hub')::integer AS own
		FROM pg_tables WHERE schemaname = current_schema()
	`);
	if (numberOf(rows[0], 'tables') === 0) return 0;
	if (numberOf(rows[0], 'own') === 0)
		throw new AppError('corrupt', `${title} has tables of another program. Create a database for the hub alone.`);
	const version = numberOf((await client.query('SELECT version FROM roost_hub')).rows[0], 'version');
	if (version > STEPS.length) throw newerSchema(title, version, STEPS.length);
	return version;
}

function unusable(message: string): AppError {
	return new AppError('store_unavailable', message);
}
