import type { LogName } from '@roost/protocol/log-cursor';
import type { Result } from '@roost/protocol/result';
import { type PostgresRig, postgres, startPostgres } from '@roost/testkit/rigs/hub/postgres';
import { type ChainedLine, logOf, sampleBatch, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { cannotRun } from '@roost/testkit/rigs/requirements';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pair } from './hub-store.contract.ts';
import type { HubStore } from './hub-store.ts';
import { openPostgresHubStore } from './postgres-hub-store.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 20 : 3;

describe.skipIf(cannotRun([postgres()]))('the Postgres store of a hub', () => {
	let server: PostgresRig;
	beforeAll(async () => {
		server = await startPostgres();
	});
	afterAll(() => server[Symbol.asyncDispose]());
	const open = async (url: string) => unwrap(await openPostgresHubStore({ url }));
	const refusal = async (url: string) => unwrapError(await openPostgresHubStore({ url }));

	it('is created once by hubs that start at the same time, and takes the batches of all of them', async () => {
		const url = await server.createDatabase();
		const stores = await Promise.all([open(url), open(url), open(url)]);
		await using stack = new AsyncDisposableStack();
		for (const store of stores) stack.use(store);
		const [first] = stores;
		const log = await pair(first, 'runner-1');
		const lines = await sampleLog(
			'runner-1',
			Array.from({ length: 60 }, (_, at) => `s${at % 4}`),
		);
		const batches = Array.from({ length: 60 }, (_, at) => lines.slice(Math.max(0, at - 6), at + 1));
		const added: number[] = [];
		await Promise.all(
			stores.map(async (store) => {
				for (const batch of batches) {
					const taken = unwrap(await store.logs.take(sampleBatch(log, batch)));
					expect(taken.isGap).toBe(false);
					added.push(...taken.added.map(({ seqNo }) => seqNo));
				}
			}),
		);
		expect(added.toSorted((a, b) => a - b)).toEqual(lines.map(({ seqNo }) => seqNo));
		expect(unwrap(await first.logs.read(log, { afterSeqNo: 0, limit: 100 }))).toHaveLength(60);
		const sessions = unwrap(await first.rows.sessions(log.runnerId, {}));
		expect(sessions.map(({ events }) => events)).toEqual([15, 15, 15, 15]);
	});

	it('changes nothing when a batch arrives late, after another node continued or the epoch ended', async () => {
		const url = await server.createDatabase();
		await using store = await open(url);
		await using late = await open(url);
		const log = await pair(store, 'runner-1');
		const lines = await sampleLog('runner-1', ['a', 'a', 'a', 'a']);
		unwrap(await store.logs.take(sampleBatch(log, lines)));
		expect(unwrap(await late.logs.take(sampleBatch(log, lines.slice(0, 2))))).toMatchObject({ added: [], lastSeqNo: 4 });
		expect(unwrap(await store.rows.sessions(log.runnerId, {}))).toMatchObject([{ events: 4 }]);
		unwrap(await store.logs.openEpoch({ ...log, epoch: 2 }, 'restored', 1));
		expect(unwrapError(await late.logs.take(sampleBatch(log, lines))).code).toBe('conflict');
		expect(unwrap(await late.rows.sessions(log.runnerId, {}))).toEqual([]);
	});

	it('lets one of two nodes redeem a code', async () => {
		const url = await server.createDatabase();
		await using one = await open(url);
		await using other = await open(url);
		for (let round = 0; round < 20; round += 1) {
			const by = { name: 'root', face: 'cli' };
			unwrap(await one.people.addPairing({ codeHash: `h${round}`, user: 'ada', grants: [], by, expiresAt: 9 }));
			const redeemed = await Promise.all([one, other].map((store) => store.people.redeem(`h${round}`, 1)));
			expect(redeemed.map(unwrap).filter((found) => found !== undefined)).toHaveLength(1);
		}
	});

	it(`loses nothing that it acknowledged when Postgres is killed, in ${ROUNDS} rounds`, async () => {
		const url = await server.createDatabase();
		await using store = await open(url);
		const log = await pair(store, 'runner-1');
		const lines = await sampleLog(
			'runner-1',
			Array.from({ length: 2_000 }, (_, at) => `s${at % 3}`),
		);
		let from = 0;
		for (let round = 0; round < ROUNDS; round += 1) {
			const writer = writeUntilRefused(store, log, lines.slice(from));
			await waitFor(() => (writer.acknowledged() >= from + 20 ? true : undefined), { what: 'acknowledged lines' });
			await server.kill();
			expect((await writer.refused).code).toBe('store_unavailable');
			await server.start();
			const end = await waitFor(async () => found(await store.logs.end(log)), { what: 'the database' });
			expect(end.lastSeqNo).toBeGreaterThanOrEqual(writer.acknowledged());
			from = end.lastSeqNo;
			const stored = unwrap(await store.logs.read(log, { afterSeqNo: 0, limit: 5_000 }));
			expect(stored.map(({ line }) => line)).toEqual(lines.slice(0, end.lastSeqNo).map(({ line }) => line));
			const events = unwrap(await store.rows.sessions(log.runnerId, {})).map((row) => row.events);
			expect(events.reduce((sum, count) => sum + count, 0)).toBe(end.lastSeqNo);
		}
	});

	it('ends every call while Postgres is frozen, and continues afterwards', async () => {
		const url = await server.createDatabase();
		await using store = await open(url);
		const log = await pair(store, 'runner-1');
		const lines = await sampleLog('runner-1', ['a', 'a']);
		unwrap(await store.logs.take(sampleBatch(log, lines.slice(0, 1))));
		const thaw = server.freeze();
		try {
			const calls = [
				...Array.from({ length: 15 }, () => store.logs.take(sampleBatch(log, lines))),
				store.audit.append({ at: 1, who: 'ada', what: 'x' }),
				store.runners.list(),
				openPostgresHubStore({ url }),
			];
			for (const result of await Promise.all(calls)) {
				const error = unwrapError(result);
				expect(error).toMatchObject({
					code: 'store_unavailable',
					message: expect.stringMatching(/does not answer .* Check that it runs/),
				});
			}
		} finally {
			thaw();
		}
		const taken = await waitFor(async () => found(await store.logs.take(sampleBatch(log, lines))), { what: 'the database' });
		expect(taken.lastSeqNo).toBe(2);
		expect(unwrap(await store.audit.append({ at: 1, who: 'ada', what: 'x' })).n).toBeGreaterThan(0);
		expect(unwrap(await store.audit.verify())).toEqual([]);
	});

	it('says what to do when it cannot be opened, without the password', async () => {
		const url = await server.createDatabase();
		const messages = [
			await refusal(url.replace('not-a-secret', 'wrong-secret')),
			await refusal(url.replace(/\/t\w+\?/, '/absent?')),
			await refusal('postgresql://roost:wrong-secret@127.0.0.1:1/hub'),
			await refusal('postgresql://roost:wrong-secret@:x/hub'),
			await refusal('mysql://roost:wrong-secret@localhost/hub'),
		].map(({ code, message }) => `${code}: ${message}`);
		expect(messages.join('\n')).not.toContain('wrong-secret');
		expect(messages).toEqual([
			expect.stringMatching(/^store_unavailable: The database t\w+ on .* rejected the user or password\. Correct the URL/),
			expect.stringMatching(/^store_unavailable: The database absent on .* does not exist\. Create it with "createdb absent"/),
			expect.stringMatching(
				/^store_unavailable: The database hub on 127\.0\.0\.1:1 does not answer \(ECONNREFUSED .*\)\. Check that/,
			),
			expect.stringMatching(/^usage: The URL of the database is not valid\. Write it as postgresql:/),
			expect.stringMatching(/^usage: The URL of the database is not valid\. Write it as postgresql:/),
		]);
	});

	it('rejects a database of another program, of a newer Roost, with another encoding, and one that loses data', async () => {
		const [foreign, newer] = [await server.createDatabase(), await server.createDatabase()];
		const latin = await server.createDatabase("ENCODING 'LATIN1' TEMPLATE template0");
		await server.query(foreign, 'CREATE TABLE visits (at integer)');
		expect(await refusal(foreign)).toMatchObject({
			code: 'corrupt',
			message: expect.stringContaining('tables of another program'),
		});
		await using store = await open(newer);
		await pair(store, 'runner-1');
		await server.query(newer, 'UPDATE roost_hub SET version = version + 1');
		expect(await refusal(newer)).toMatchObject({ code: 'schema_too_new', message: expect.stringContaining('Update Roost') });
		expect(await refusal(latin)).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringContaining('encoding LATIN1'),
		});
		const unsafe = await server.createDatabase();
		await server.query(unsafe, `ALTER DATABASE ${new URL(unsafe).pathname.slice(1)} SET synchronous_commit = off`);
		expect(await refusal(unsafe)).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringMatching(/has synchronous_commit = off and may lose data\. Set it to on/),
		});
		for (const url of [foreign, latin, unsafe]) expect(await tablesOf(server, url)).not.toContain('lines');
	});

	it('stores nothing while the disk is full, and continues when there is space', async () => {
		const url = await server.createDatabase();
		await using store = await open(url);
		const log = await pair(store, 'runner-1');
		const lines = await sampleLog('runner-1', ['a', 'b']);
		await server.query(url, FULL_DISK);
		const error = unwrapError(await store.logs.take(sampleBatch(log, lines)));
		expect(error).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringMatching(/disk of the database is full\. Free some space/),
		});
		expect(unwrap(await store.logs.end(log)).lastSeqNo).toBe(0);
		await server.query(url, 'DROP TRIGGER full_disk ON sessions');
		expect(unwrap(await store.logs.take(sampleBatch(log, lines))).lastSeqNo).toBe(2);
	});

	it('reports an audit entry that was changed, removed or replaced', async () => {
		const url = await server.createDatabase();
		await using store = await open(url);
		for (const at of [1, 2, 3, 4]) unwrap(await store.audit.append({ at, who: 'ada', what: `did ${at}` }));
		await server.query(url, "UPDATE audit SET what = 'did nothing' WHERE n = 2");
		expect(unwrap(await store.audit.verify())).toEqual(['Audit entry 2 was changed.']);
		await server.query(url, 'DELETE FROM audit WHERE n = 2');
		expect(unwrap(await store.audit.verify())).toEqual(['Audit entries 2 to 2 are missing.']);
		await server.query(url, 'DELETE FROM audit WHERE n > 2');
		expect(unwrap(await store.audit.verify())).toEqual(['Audit entries 2 to 4 are missing.']);
	});

	it('keeps a runner that was paired on another node', async () => {
		const url = await server.createDatabase();
		await using one = await open(url);
		await using other = await open(url);
		const log = logOf('runner-1');
		const paired = await Promise.all([
			one.runners.pair(sampleRunner('runner-1')),
			other.runners.pair({ ...sampleRunner('runner-1'), publicKey: 'another' }),
		]);
		expect(paired.filter(({ ok }) => ok)).toHaveLength(1);
		await Promise.all([one, other, one, other].map(async (store) => unwrap(await store.logs.openEpoch(log, 'first', 1))));
		expect(unwrap(await one.logs.current(log.runnerId))).toEqual(log);
	});
});

/** Fails the last statement of a batch as a full disk does. */
const FULL_DISK = `
	CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
	CREATE TRIGGER full_disk BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION full_disk();
`;

/** In batches of two lines, one after the other. */
function writeUntilRefused(store: HubStore, log: LogName, lines: readonly ChainedLine[]) {
	let acknowledged = 0;
	const write = async () => {
		for (let from = 0; ; from += 2) {
			const taken = await store.logs.take(sampleBatch(log, lines.slice(from, from + 2)));
			if (!taken.ok) return taken.error;
			acknowledged = taken.value.lastSeqNo;
		}
	};
	return { refused: write(), acknowledged: () => acknowledged };
}

function found<T>(result: Result<T>): T | undefined {
	return result.ok ? result.value : undefined;
}

async function tablesOf(server: PostgresRig, url: string): Promise<unknown[]> {
	return (await server.query(url, 'SELECT tablename FROM pg_tables')).map(({ tablename }) => tablename);
}
