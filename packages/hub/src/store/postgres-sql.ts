// Statements over a pool of connections to Postgres, each with a time limit.
import { AppError } from '@roost/protocol/app-error';
import type { Row } from '@roost/store/row-values';
import pg from 'pg';
import { type Place, toPostgresError } from './postgres-error.ts';
import type { Sql, SqlStatements, SqlValue } from './sql.ts';

const LIMIT_MS = 3_000;
const CONNECTIONS = 10;

/** A frozen database does not stop its own statements, so the client has the same limit. */
const LIMITS = {
	connectionTimeoutMillis: LIMIT_MS,
	query_timeout: LIMIT_MS,
	statement_timeout: LIMIT_MS,
	// A transaction of a frozen node ends, and with it its locks.
	idle_in_transaction_session_timeout: LIMIT_MS,
};

export type PostgresSql = Sql & { close(): Promise<void> };

/** Numbers of 64 bits stay below the largest safe integer. */
const TYPES: pg.CustomTypesConfig = {
	getTypeParser: (id: number, format?: 'text' | 'binary') =>
		id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format),
};

export function createPostgresSql(url: string, place: Place): PostgresSql {
	const pool = new pg.Pool({ connectionString: url, application_name: 'roost hub', max: CONNECTIONS, types: TYPES, ...LIMITS });
	// A lost connection is reported by the next statement.
	pool.on('error', () => undefined);
	pool.on('connect', (client) => client.on('error', () => undefined));
	const named = createNames();

	async function checked<T>(action: () => Promise<T>): Promise<T> {
		if (pool.ending) throw new AppError('store_unavailable', `${place.title} was closed. Open it again first.`);
		try {
			return await action();
		} catch (cause) {
			throw toPostgresError(cause, place);
		}
	}

	async function transaction<T>(action: (sql: SqlStatements) => Promise<T>): Promise<T> {
		const client = await pool.connect();
		let isEnded = false;
		try {
			await client.query('BEGIN');
			const result = await action(toStatements((query) => checked(() => client.query<Row>(query)), named));
			await client.query('COMMIT');
			isEnded = true;
			return result;
		} finally {
			// The server rolls back when the connection is closed; no statement has to be answered for that.
			client.release(!isEnded);
		}
	}

	return {
		...toStatements((query) => checked(() => pool.query<Row>(query)), named),
		listed: (parameter) => `json_array_elements_text(CAST(${parameter} AS json))`,
		transaction: (action) => checked(() => transaction(action)),
		close: async () => {
			if (!pool.ending) await pool.end();
		},
	};
}

type Query = { name: string; text: string; values: SqlValue[] };

function toStatements(query: (query: Query) => Promise<pg.QueryResult<Row>>, named: (text: string) => string): SqlStatements {
	return {
		all: async (text, values = []) => (await query({ name: named(text), text, values: [...values] })).rows,
		run: async (text, values = []) => (await query({ name: named(text), text, values: [...values] })).rowCount ?? 0,
	};
}

/** A statement with a name is parsed once per connection. */
function createNames(): (text: string) => string {
	const names = new Map<string, string>();
	return (text) => {
		const name = names.get(text) ?? `roost_${names.size}`;
		names.set(text, name);
		return name;
	};
}
