import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promptId, runnerId, sessionId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { GOLDEN_FLUSHED, goldenAppends, writeGoldenDatabase } from '@roost/testkit/rigs/record/golden-database';
import { SAMPLE_PROJECT, sampleAppend, sampleAsk, sampleEvent, sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { SCHEMA_VERSION } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';
import { usageAppends } from './usage.contract.ts';

const GOLDEN = fileURLToPath(new URL('../golden', import.meta.url));
const versions = Array.from({ length: SCHEMA_VERSION }, (_, at) => at + 1);

describe('database of every schema version', () => {
	it('is kept as a golden file', () => {
		expect(readdirSync(GOLDEN).toSorted()).toEqual(
			versions.flatMap((version) => [`v${version}.db`, `v${version}.db.heads`]).toSorted(),
		);
	});

	it.each(versions)('can still be read completely, verified, searched and written: version %i', async (version) => {
		await using directory = await createTempDir();
		const path = copyGolden(directory.path, version);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		const fresh = await writeGoldenDatabase(join(directory.path, 'fresh.db'));
		// Version 8 gave projects ids: earlier lines have the path, and are never edited.
		// Version 11 took the titles out of the lines.
		const titled = version < 11 ? fresh.map(withTitle) : fresh;
		const written = version < 8 ? titled.map(withPath) : titled;
		expect(unwrap(store.read({ afterSeqNo: 0, limit: 100 }))).toEqual(written);
		expect(unwrap(store.sessions()).map(({ id }) => id)).toEqual(['golden-2', 'golden-1']);
		expect(unwrap(store.sessions({ nativeId: 'native-golden-1' }))[0]).toEqual(goldenAppends()[0]?.session);
		expect(unwrap(store.projects())).toMatchObject([{ id: SAMPLE_PROJECT, path: '/project' }]);
		expect(unwrap(store.sessions({ projectPath: '/project' }))).toHaveLength(2);
		expect(unwrap(store.verify())).toMatchObject({ intact: true, streams: [{ events: 5 }, { events: 5 }] });
		// Version 2 added the asks and rules.
		const since2 = version < 2 ? [] : goldenAppends();
		expect(unwrap(store.asks())).toEqual(since2.flatMap(({ asks = [] }) => asks));
		expect(unwrap(store.rules())).toEqual(since2.flatMap(({ rules = {} }) => rules.add ?? []));
		// Version 3 added the outbox: before it, nothing was acknowledged.
		const flushedSeqNo = version < 3 ? 0 : GOLDEN_FLUSHED;
		const runner = runnerId.parse('runner-1');
		expect(unwrap(store.outbox.state(runner))).toEqual({ flushedSeqNo, lastSeqNo: 10 });
		expect(unwrap(store.outbox.readUnflushed({ runnerId: runner, limit: 100 }))).toEqual(written.slice(flushedSeqNo));
		expect(unwrap(await store.outbox.markFlushed({ runnerId: runner, epoch: 1, seqNo: 10 })).flushedSeqNo).toBe(10);
		expect(unwrap(store.epoch())).toBe(1);
		// Version 9 added the positions of rows: earlier rows have the position of their session's last event.
		const changed = unwrap(store.rowsChanged({ runnerId: runner, after: 0, upTo: 10 }));
		expect(changed.sessions.map(({ id }) => id)).toEqual(['golden-1', 'golden-2']);
		expect(changed.asks.map(({ id }) => id)).toEqual(unwrap(store.asks()).map(({ id }) => id));
		expect(unwrap(store.rowsChanged({ runnerId: runner, after: 5, upTo: 10 })).sessions.map(({ id }) => id)).toEqual([
			'golden-2',
		]);
		const hits = unwrap(store.search({ words: 'henhouse', limit: 10, sessionId: sessionId.parse('golden-1') }));
		expect(hits.map(({ kind }) => kind)).toEqual(['agent.message', 'user.prompt']);
		const [again] = goldenAppends();
		if (again !== undefined) expect(unwrapError(await store.append(again)).code).toBe('duplicate_event');
		const more = { asks: [sampleAsk('new')], rules: { add: [sampleRule('new')] } };
		unwrap(await store.append(sampleAppend('golden-1', [], more)));
		expect(unwrap(store.asks()).at(-1)).toEqual(more.asks[0]);
		expect(unwrap(store.rules()).at(-1)).toEqual(more.rules.add[0]);
	});
});

describe('database of an older Roost', () => {
	it('is rejected for a reader with advice, and is not changed', async () => {
		await using directory = await createTempDir();
		const path = copyGolden(directory.path, SCHEMA_VERSION - 1);
		expect(unwrapError(openSqliteStore({ path, access: 'read' }))).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringContaining('was written by an older Roost. Start the runner once'),
		});
		using db = new DatabaseSync(path, { readOnly: true });
		expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION - 1 });
	});
});

describe('database from before usage was counted', () => {
	it('gets its usage from the log when it is opened, ignoring lines that are not events', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const counted = await (async () => {
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			for (const request of usageAppends()) unwrap(await store.append(request));
			return unwrap(store.usage());
		})();
		expect(counted.length).toBeGreaterThan(2);
		takeUsageAway(path);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(unwrap(store.usage())).toEqual(counted);
	});
});

describe('database from before rows had positions', () => {
	it('gets its queues from the log, and lists every row as changed', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const prompt = (seq: number, id: string, state: 'queued' | 'sent') => {
			const data = { prompt_id: promptId.parse(id), state, ...(state === 'queued' ? { text: `do ${id}` } : {}) };
			return sampleEvent('a', seq, { kind: 'prompt.update', data });
		};
		const read = (store: Store) => unwrap(store.rowsChanged({ runnerId: runnerId.parse('runner-1'), after: 0, upTo: 100 }));
		const before = await (async () => {
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			for (const request of usageAppends()) unwrap(await store.append(request));
			const events = [prompt(10, 'p1', 'queued'), prompt(11, 'p2', 'queued'), prompt(12, 'p1', 'sent')];
			unwrap(await store.append(sampleAppend('a', events, { asks: [sampleAsk('ask-1')] })));
			return read(store);
		})();
		expect(before.queues).toMatchObject([{ sessionId: 'a', prompts: [{ id: 'p2', text: 'do p2' }] }]);
		expect(before.usage.length).toBeGreaterThan(2);
		takePositionsAway(path);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		const after = read(store);
		for (const table of ['sessions', 'asks', 'queues', 'usage'] as const) {
			expect(after[table]).toHaveLength(before[table].length);
			expect(after[table]).toEqual(expect.arrayContaining<object>(before[table]));
		}
	});
});

describe('database of a newer Roost', () => {
	it.each(['write', 'read'] as const)(
		'is rejected with both versions and not changed when it is opened to %s',
		async (access) => {
			await using directory = await createTempDir();
			const path = copyGolden(directory.path, SCHEMA_VERSION);
			using db = new DatabaseSync(path);
			db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
			expect(unwrapError(openSqliteStore({ path, access }))).toMatchObject({
				code: 'schema_too_new',
				message: expect.stringMatching(
					new RegExp(`schema version ${SCHEMA_VERSION + 1}, .* up to ${SCHEMA_VERSION}. Update Roost`),
				),
			});
			expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION + 1 });
		},
	);
});

/** Restores the file of the previous version; the last line was tampered with. */
function takeUsageAway(path: string): void {
	using db = new DatabaseSync(path);
	takePositionsAway(path);
	db.exec('DROP TABLE usage_days; DROP TABLE headed; DROP TABLE receipts; DROP TABLE projects; PRAGMA user_version = 3');
	db.exec(`UPDATE events SET line = '{"kind":"usage.update"' WHERE position = (SELECT max(position) FROM events)`);
}

/** Restores the file of the previous version. */
function takePositionsAway(path: string): void {
	using db = new DatabaseSync(path);
	db.exec('DROP TABLE epochs; DROP TABLE queues; PRAGMA user_version = 8');
	for (const table of ['sessions', 'asks', 'usage_days'])
		db.exec(`DROP INDEX ${table}_by_position; ALTER TABLE ${table} DROP COLUMN position`);
}

function withPath(entry: LogEntry): LogEntry {
	return { ...entry, line: entry.line.replace(`"projectId":"${SAMPLE_PROJECT}"`, '"projectId":"/project"') };
}

const TITLES = ['Session started', 'Mend the henhouse', 'Bash', 'Said', 'Session ended'];

function withTitle(entry: LogEntry, at: number): LogEntry {
	return { ...entry, line: entry.line.replace(',"data":', `,"title":"${TITLES[at % TITLES.length]}","data":`) };
}

function copyGolden(directory: string, version: number): string {
	const path = join(directory, 'roost.db');
	copyFileSync(join(GOLDEN, `v${version}.db`), path);
	copyFileSync(join(GOLDEN, `v${version}.db.heads`), `${path}.heads`);
	return path;
}
