// Verifies the record of a home: its database, heads and tables, and an earlier head that was kept elsewhere.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseJson } from '@roost/core/display/parse-json';
import { plural } from '@roost/core/display/plural';
import { toSentence } from '@roost/core/display/sentence';
import { type Home, resolveHome } from '@roost/home/home';
import { AppError } from '@roost/protocol/app-error';
import { type RunnerId, runnerId, type SessionId, type StreamId, sessionId, sessionStream } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { type Anchor, formatAnchor, parseAnchor } from '@roost/store/anchor';
import { genesisHash, nextHash } from '@roost/store/hash-chain';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store, VerifyReport } from '@roost/store/store';
import { z } from 'zod';
import { findSession, openRecord, readStream } from './record.ts';
import { findForged } from './verify-signatures.ts';

export type RecordProof = VerifyReport & {
	/** Nothing was ever recorded in this home. */
	fresh: boolean;
	/** One head over everything, to be kept elsewhere; null if the record is not intact. */
	head: string | null;
	/** The number of events that a given earlier head covers, if it matches. */
	covered: number | null;
};

type VerifyQuery = { session?: string | undefined; head?: string | undefined };

export async function verifyRecord(env: NodeJS.ProcessEnv, query: VerifyQuery): Promise<Result<RecordProof>> {
	const home = resolveHome(env);
	return home.ok ? await verifyHome(home.value, query) : home;
}

/** The files of a home that are verified. */
export type RecordFiles = Pick<Home, 'database' | 'runnerId'>;

export async function verifyHome(home: RecordFiles, query: VerifyQuery): Promise<Result<RecordProof>> {
	const earlier = query.head === undefined ? undefined : parseAnchor(query.head);
	if (query.head !== undefined && earlier === undefined)
		return err(new AppError('usage', `"${query.head}" is not a head. ${HEAD_FORM}`));
	const opened = openProven(home);
	if (!opened.ok) return opened;
	if (opened.value === null) return ok(withoutDatabase(home, earlier));
	await using store = opened.value;
	return proveStore(store, home, query.session, earlier);
}

const HEAD_FORM = 'Give a head as "roost verify --head" prints it, such as 1204-k7f3qz2m5xw4r6dahv7b.';

/** Null if there is no database, or an empty one. */
function openProven({ database }: RecordFiles): Result<Store | null> {
	if (!existsSync(database)) return ok(null);
	const store = openSqliteStore({ path: database, access: 'read' });
	return !store.ok && store.error.code === 'not_found' ? ok(null) : store;
}

/** The runner ID is written before the database: with it, or with heads, there was a record. */
function withoutDatabase(home: RecordFiles, earlier: Anchor | undefined): RecordProof {
	const left = [`${home.database}.heads`, home.runnerId].filter(existsSync);
	const what = existsSync(home.database) ? 'is empty' : 'is missing';
	const problems = left
		.slice(0, 1)
		.map((path) => `${home.database} ${what}, and ${path} shows that there was a record. Restore the database.`);
	if (earlier !== undefined && sum(earlier.counts) > 0) problems.push(lostSentence(earlier));
	return { streams: [], problems, intact: problems.length === 0, fresh: left.length === 0, head: null, covered: null };
}

function proveStore(
	store: Store,
	home: RecordFiles,
	session: string | undefined,
	earlier: Anchor | undefined,
): Result<RecordProof> {
	const stream = streamOf(store, session);
	if (!stream.ok) return stream;
	const report = store.verify(stream.value);
	if (!report.ok) return report;
	const tables = session === undefined ? store.verifyTables() : ok([]);
	if (!tables.ok) return tables;
	const forged = findForged(
		store,
		report.value.streams.map((one) => one.stream),
	);
	if (!forged.ok) return forged;
	const met = earlier === undefined ? ok(undefined) : store.anchor(earlier.counts);
	if (!met.ok) return met;
	const now = store.anchor();
	if (!now.ok) return now;
	const problems = [...report.value.problems, ...tables.value, ...forged.value, ...runnerProblems(store, home, now.value)];
	if (earlier !== undefined && met.value?.digest !== earlier.digest)
		problems.push(met.value ? changedSentence(earlier) : lostSentence(earlier));
	const intact = problems.length === 0 && report.value.intact;
	const head = intact && now.value !== null ? formatAnchor(now.value) : null;
	const covered = earlier !== undefined && intact ? sum(earlier.counts) : null;
	return ok({ ...report.value, problems, intact, fresh: false, head, covered });
}

function streamOf(store: Store, session: string | undefined): Result<StreamId | undefined> {
	if (session === undefined) return ok(undefined);
	const found = findSession(store, session);
	return found.ok ? ok(sessionStream(found.value.id)) : found;
}

/** With another ID, the runner would continue the same log, and its earlier events would seem to be another runner's. */
function runnerProblems(store: Store, home: RecordFiles, anchor: Anchor | null): string[] {
	if (anchor === null || sum(anchor.counts) === 0) return [];
	const id = readRunnerId(home.runnerId);
	if (id === undefined) return [`${home.runnerId} is missing or unreadable. Restore it, so that this runner keeps its id.`];
	const state = store.outbox.state(id);
	const isKnown = state.ok && state.value.lastSeqNo > 0;
	return isKnown
		? []
		: [`${home.runnerId} names runner ${id}, which has recorded nothing here. Restore the id that is in the record.`];
}

function readRunnerId(path: string): RunnerId | undefined {
	return existsSync(path) ? runnerId.safeParse(readFileSync(path, 'utf8').trim()).data : undefined;
}

function changedSentence({ counts }: Anchor): string {
	return `The first ${sum(counts)} events are not those that the given head was taken of. The record was rewritten.`;
}

function lostSentence({ counts }: Anchor): string {
	return `The given head covers ${sum(counts)} events, and the record has fewer. The record was cut or replaced.`;
}

function sum(counts: readonly number[]): number {
	return counts.reduce((total, count) => total + count, 0);
}

export type ExportProof = {
	session: SessionId;
	events: number;
	head: string;
	problems: string[];
	intact: boolean;
	isOnRecord: boolean;
};

const header = z.object({
	export: z.literal(1),
	session: z.object({ id: sessionId }),
	events: z.int().nonnegative(),
	head: z.string(),
});
const place = z.object({ stream: z.string(), offset: z.number() });

export async function verifyExport(env: NodeJS.ProcessEnv, path: string): Promise<Result<ExportProof>> {
	const record = openRecord(env);
	if (!record.ok) return record;
	await using store = record.value;
	try {
		const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
		return await proveLines(lines[Symbol.asyncIterator](), store, path);
	} catch (cause) {
		return err(
			new AppError('not_found', toSentence(`"${path}" cannot be read: ${cause instanceof Error ? cause.message : cause}`), {
				cause,
			}),
		);
	}
}

async function proveLines(lines: AsyncIterator<string>, store: Store, path: string): Promise<Result<ExportProof>> {
	const first = header.safeParse(parseJson((await lines.next()).value ?? ''));
	if (!first.success) {
		const next = 'Use a file that "roost export" wrote.';
		return err(new AppError('usage', `"${path}" is not an exported session: its first line is not a header. ${next}`));
	}
	const { session, events, head } = first.data;
	const proof: ExportProof = { session: session.id, events: 0, head: '', problems: [], intact: false, isOnRecord: false };
	const failed = await walk(proof, lines, store);
	if (failed) return failed;
	if (proof.events !== events)
		proof.problems.push(`The header says ${plural(events, 'event')}, but the file has ${proof.events}.`);
	else if (proof.head !== head) proof.problems.push('The events do not match the head in the header: the file was changed.');
	return ok({ ...proof, intact: proof.problems.length === 0 });
}

/** Adds each line to the hash chain and compares it with the record. */
async function walk(proof: ExportProof, lines: AsyncIterator<string>, store: Store): Promise<Result<never> | undefined> {
	const stream = sessionStream(proof.session);
	const recorded = eachLine(store, proof.session);
	proof.head = genesisHash(stream);
	let differs = false;
	for (let next = await lines.next(); !next.done; next = await lines.next()) {
		proof.events++;
		proof.head = nextHash(proof.head, next.value);
		const found = place.safeParse(parseJson(next.value));
		const isInPlace = found.success && found.data.stream === stream && found.data.offset === proof.events;
		// One sentence for all such lines.
		if (!isInPlace && proof.problems.length === 0)
			proof.problems.push(`Line ${proof.events + 1} is not event ${proof.events} of session ${proof.session}.`);
		const kept = recorded.next().value;
		if (kept?.ok === false) return kept;
		proof.isOnRecord ||= kept !== undefined;
		if (!proof.isOnRecord || differs || kept?.value === next.value) continue;
		differs = true;
		proof.problems.push(
			kept === undefined
				? `The record on this machine ends before event ${proof.events}.`
				: `Event ${proof.events} differs from the record on this machine.`,
		);
	}
	return undefined;
}

function* eachLine(store: Store, id: SessionId): Generator<Result<string>, undefined> {
	for (const page of readStream(store, id, 0)) {
		if (!page.ok) return yield page;
		for (const { line } of page.value) yield ok(line);
	}
}
