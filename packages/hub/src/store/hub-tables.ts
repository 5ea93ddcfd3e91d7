// The first version of a hub's tables, for both databases.

type Words = { key: string; text: string; real: string; long: string; strict: string };

/** Texts are compared by their bytes in both databases, whatever the locale of Postgres. */
const POSTGRES: Words = {
	key: 'INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
	text: 'TEXT COLLATE "C"',
	real: 'DOUBLE PRECISION',
	long: 'BIGINT',
	strict: '',
};
const SQLITE: Words = { key: 'INTEGER PRIMARY KEY', text: 'TEXT', real: 'REAL', long: 'INTEGER', strict: 'STRICT' };

export const POSTGRES_TABLES_1 = toTables(POSTGRES);
export const SQLITE_TABLES_1 = toTables(SQLITE);

function toTables(words: Words): string {
	return `${runnerTables(words)}${rowTables(words)}${personTables(words)}`;
}

function runnerTables({ key, text, real, long, strict }: Words): string {
	return `
	CREATE TABLE runners (
		runner_no ${key},
		id ${text} NOT NULL UNIQUE,
		name ${text} NOT NULL,
		public_key ${text} NOT NULL,
		owner ${text} NOT NULL,
		version ${text} NOT NULL,
		paired_at ${real} NOT NULL,
		last_seen_at ${real} NOT NULL,
		revoked_at ${real},
		links ${long} NOT NULL DEFAULT 0
	) ${strict};
	CREATE TABLE logs (
		log_no ${key},
		runner_no INTEGER NOT NULL,
		epoch ${long} NOT NULL,
		last_seq ${long} NOT NULL,
		opened_at ${real} NOT NULL,
		why ${text} NOT NULL,
		ended_at ${real},
		UNIQUE (runner_no, epoch)
	) ${strict};
	CREATE TABLE streams (
		stream_no ${key},
		log_no INTEGER NOT NULL,
		stream ${text} NOT NULL,
		last_off INTEGER NOT NULL,
		head ${text} NOT NULL,
		UNIQUE (log_no, stream)
	) ${strict};
	CREATE TABLE lines (
		log_no INTEGER NOT NULL,
		seq ${long} NOT NULL,
		stream_no INTEGER NOT NULL,
		off INTEGER NOT NULL,
		line ${text} NOT NULL,
		PRIMARY KEY (log_no, seq),
		UNIQUE (stream_no, off)
	) ${strict};
	CREATE TABLE commands (
		n ${key},
		id ${text} NOT NULL UNIQUE,
		runner_no INTEGER NOT NULL,
		call ${text} NOT NULL,
		kind ${text} NOT NULL,
		state ${text} NOT NULL,
		created_at ${real} NOT NULL,
		expires_at ${real} NOT NULL,
		cancelled_at ${real},
		outcome ${text}
	) ${strict};
	CREATE INDEX commands_open ON commands (runner_no, n) WHERE state = 'open';
	`;
}

/** `document` is the row as JSON, `seq` the end of the batch that wrote it. */
function rowTables({ text, real, long, strict }: Words): string {
	return `
	CREATE TABLE sessions (
		runner_no INTEGER NOT NULL,
		id ${text} NOT NULL,
		project_id ${text} NOT NULL,
		project_path ${text} NOT NULL,
		status ${text} NOT NULL,
		archived INTEGER NOT NULL,
		started_at ${real} NOT NULL,
		document ${text} NOT NULL,
		seq ${long} NOT NULL,
		PRIMARY KEY (runner_no, id)
	) ${strict};
	CREATE INDEX sessions_by_start ON sessions (runner_no, started_at, id);
	CREATE TABLE asks (
		runner_no INTEGER NOT NULL,
		id ${text} NOT NULL,
		session_id ${text} NOT NULL,
		state ${text} NOT NULL,
		opened_at ${real} NOT NULL,
		document ${text} NOT NULL,
		seq ${long} NOT NULL,
		PRIMARY KEY (runner_no, id)
	) ${strict};
	CREATE INDEX asks_by_state ON asks (runner_no, state, opened_at);
	CREATE TABLE queues (
		runner_no INTEGER NOT NULL,
		session_id ${text} NOT NULL,
		prompts INTEGER NOT NULL,
		document ${text} NOT NULL,
		seq ${long} NOT NULL,
		PRIMARY KEY (runner_no, session_id)
	) ${strict};
	CREATE TABLE usage_days (
		runner_no INTEGER NOT NULL,
		session_id ${text} NOT NULL,
		day ${text} NOT NULL,
		model ${text} NOT NULL,
		document ${text} NOT NULL,
		seq ${long} NOT NULL,
		PRIMARY KEY (runner_no, session_id, day, model)
	) ${strict};
	CREATE INDEX usage_by_day ON usage_days (runner_no, day);
	`;
}

function personTables({ text, real, strict }: Words): string {
	return `
	CREATE TABLE settings (name ${text} NOT NULL PRIMARY KEY, value ${text} NOT NULL) ${strict};
	CREATE TABLE users (name ${text} NOT NULL PRIMARY KEY) ${strict};
	CREATE TABLE devices (
		id ${text} NOT NULL PRIMARY KEY,
		public_key ${text} NOT NULL UNIQUE,
		owner ${text} NOT NULL,
		kind ${text} NOT NULL,
		name ${text} NOT NULL,
		origin ${text} NOT NULL,
		created_at ${real} NOT NULL,
		last_seen_at ${real} NOT NULL,
		revoked_at ${real}
	) ${strict};
	CREATE TABLE grants (
		holder ${text} NOT NULL,
		runner ${text} NOT NULL,
		role ${text} NOT NULL,
		PRIMARY KEY (holder, runner, role)
	) ${strict};
	CREATE TABLE pairings (
		code_hash ${text} NOT NULL PRIMARY KEY,
		invited ${text} NOT NULL,
		grants ${text} NOT NULL,
		invited_by ${text} NOT NULL,
		expires_at ${real} NOT NULL,
		used_at ${real}
	) ${strict};
	CREATE TABLE audit (
		n INTEGER NOT NULL PRIMARY KEY,
		at ${real} NOT NULL,
		who ${text} NOT NULL,
		what ${text} NOT NULL,
		hash ${text} NOT NULL
	) ${strict};
	CREATE TABLE audit_head (one INTEGER NOT NULL PRIMARY KEY, n INTEGER NOT NULL, hash ${text} NOT NULL) ${strict};
	`;
}
