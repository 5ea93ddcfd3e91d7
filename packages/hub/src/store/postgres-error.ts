// Turns errors of Postgres and its driver into errors that a caller can act on. No message has a password.
import { AppError, type ErrorCode } from '@roost/protocol/app-error';

/** Where the database is, for messages. */
export type Place = { title: string; database: string };

/** A place without user and password; the URL itself is never part of a message. */
export function placeOf(url: string): Place {
	try {
		const { hostname, port, pathname, searchParams } = new URL(url);
		const host = decodeURIComponent(searchParams.get('host') ?? hostname) || 'localhost';
		const database = decodeURIComponent(pathname.slice(1));
		if (!/^postgres(ql)?:/.test(url) || database === '') throw badUrl();
		return { title: `The database ${database} on ${host}${port === '' ? '' : `:${port}`}`, database };
	} catch {
		throw badUrl();
	}
}

/** Anything but an error of the database or its connection is a bug, and is thrown. */
export function toPostgresError(cause: unknown, { title, database }: Place): AppError {
	if (cause instanceof AppError) return cause;
	if (!(cause instanceof Error)) throw cause;
	const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
	const found = SENTENCES.find(([codes]) => codes.test(code ?? ''));
	const isKnown = code !== undefined || DRIVER.test(cause.message);
	if (!isKnown) throw cause;
	const [, result, sentence] = found ?? (isSqlState(code) ? OTHER : UNREACHABLE);
	const values: Record<string, string> = { title, database, why: `${code ?? ''} ${cause.message}`.trim() };
	const message = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
	return new AppError(result, message, { cause });
}

type Sentence = readonly [codes: RegExp, code: ErrorCode, sentence: string];

/** Errors of the driver have no code. */
const DRIVER =
	/^(Connection terminated|Query read timeout|timeout e(xceeded|xpired)|Client (has encountered|was closed)|Cannot use a pool)/;

function isSqlState(code: string | undefined): boolean {
	return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('E');
}

/** By SQLSTATE, or the code of a system error. */
const SENTENCES: readonly Sentence[] = [
	[/^28/, 'store_unavailable', '{title} rejected the user or password. Correct the URL of the database and retry.'],
	[/^3D000$/, 'store_unavailable', '{title} does not exist. Create it with "createdb {database}" and retry.'],
	[/^42501$/, 'store_unavailable', '{title} denied access ({why}). Make the user of the URL the owner of its tables.'],
	[/^53100$/, 'store_unavailable', 'The disk of the database is full. Free some space there and retry.'],
	[/^53300$/, 'store_unavailable', '{title} has too many connections. Raise max_connections, or use fewer nodes, and retry.'],
	[/^58|^F0/, 'store_unavailable', '{title} failed to read or write its files ({why}). Check its disk and retry.'],
	[/^25006$/, 'store_unavailable', '{title} is read-only, as a standby is. Use the primary server.'],
	[/^(57014|55P03|25P03|25P04|40)/, 'store_unavailable', '{title} did not answer in time. Check its load and retry.'],
	[/^XX00[12]$/, 'corrupt', '{title} is damaged ({why}). Restore a backup.'],
	[/^22/, 'bad_request', 'A value cannot be stored ({why}). Send plain texts and numbers only.'],
];
const UNREACHABLE: Sentence = [/^/, 'store_unavailable', '{title} does not answer ({why}). Check that it runs and retry.'];
const OTHER: Sentence = [/^/, 'store_unavailable', '{title} failed ({why}). Run "roost doctor" and retry.'];

function badUrl(): AppError {
	const problem = 'The URL of the database is not valid';
	return new AppError('usage', `${problem}. Write it as postgresql://user:password@host:5432/database.`);
}
