import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { runnerId } from '@roost/protocol/ids';
import { sampleAppend, sampleAsk, sampleEvent, sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openForWriting } from './open-database.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { describeStore } from './store.contract.ts';

describeStore('the SQLite store', async () => {
	const directory = await createTempDir();
	const store = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), access: 'write' }));
	return {
		store,
		async [Symbol.asyncDispose]() {
			await store.close();
			await directory[Symbol.asyncDispose]();
		},
	};
});

describe('durability', () => {
	it('uses a write-ahead log that is synced at every commit', async () => {
		await using directory = await createTempDir();
		using db = openForWriting(join(directory.path, 'roost.db'));
		expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
		// 2 is FULL.
		expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
	});

	it('keeps the log, its numbers and its sessions after reopening', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		for (const seq of [1, 2, 3]) {
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			const receipt = unwrap(await store.append(sampleAppend('a', [sampleEvent('a', seq)])));
			expect(receipt).toMatchObject({ firstOffset: seq, firstSeqNo: seq });
			expect(unwrapError(await store.append(sampleAppend('a', [sampleEvent('a', 1)]))).code).toBe('duplicate_event');
		}
	});

	it('keeps acknowledgements after reopening, and rejects one past the end of the log', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const runner = runnerId.parse('runner-1');
		const first = unwrap(openSqliteStore({ path, access: 'write' }));
		unwrap(await first.append(sampleAppend('a', [sampleEvent('a', 1), sampleEvent('a', 2)])));
		unwrap(await first.openEpoch('a backup was restored', 1));
		unwrap(await first.outbox.markFlushed({ runnerId: runner, epoch: 2, seqNo: 1 }));
		await first.close();
		await using second = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(unwrap(second.epoch())).toBe(2);
		expect(unwrap(second.outbox.readUnflushed({ runnerId: runner, limit: 5 })).map(({ seqNo }) => seqNo)).toEqual([2]);
		using db = new DatabaseSync(path);
		db.exec('UPDATE flushed SET seq_no = 3');
		const answers = [
			second.outbox.state(runner),
			second.outbox.readUnflushed({ runnerId: runner, limit: 5 }),
			await second.outbox.markFlushed({ runnerId: runner, epoch: 2, seqNo: 2 }),
		];
		expect(answers.map((answer) => unwrapError(answer).code)).toEqual(['corrupt', 'corrupt', 'corrupt']);
	});

	it('keeps asks, rules and decisions after reopening', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const request = { asks: [sampleAsk('1', { state: 'denied' }), sampleAsk('2')], rules: { add: [sampleRule('1')] } };
		const first = unwrap(openSqliteStore({ path, access: 'write' }));
		unwrap(await first.append(sampleAppend('a', [], request)));
		await first.close();
		await using second = unwrap(openSqliteStore({ path, access: 'write' }));
		const allowed = sampleAppend('a', [], { asks: [sampleAsk('1', { state: 'allowed' })] });
		expect(unwrapError(await second.append(allowed)).code).toBe('conflict');
		expect(unwrap(second.asks())).toEqual(request.asks);
		expect(unwrap(second.rules())).toEqual(request.rules.add);
	});

	it('reports a damaged file if an ask or a rule is unreadable, and never overwrites it', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		unwrap(await store.append(sampleAppend('a', [], { asks: [sampleAsk('1')], rules: { add: [sampleRule('1')] } })));
		using db = new DatabaseSync(path);
		db.exec(`UPDATE asks SET state = 'x', ask = '{}'; UPDATE rules SET rule = '{'`);
		expect(unwrapError(store.asks())).toMatchObject({ code: 'corrupt', message: expect.stringContaining('column ask.') });
		expect(unwrapError(store.rules())).toMatchObject({ code: 'corrupt', message: expect.stringContaining('column rule.') });
		for (const changes of [{ asks: [sampleAsk('1')] }, { rules: { add: [sampleRule('1')] } }]) {
			expect(unwrapError(await store.append(sampleAppend('a', [], changes))).code).toBe('conflict');
		}
	});
});

describe('writer', () => {
	it('is exclusive until it closes, even within one process', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const first = unwrap(openSqliteStore({ path, access: 'write' }));
		const second = unwrapError(openSqliteStore({ path, access: 'write' }));
		expect(second).toMatchObject({ code: 'store_busy', message: expect.stringContaining(`process ${process.pid}.`) });
		expect(unwrap(await first.append(sampleAppend('a', [sampleEvent('a', 1)]))).firstOffset).toBe(1);
		await first.close();
		await using third = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(unwrap(third.verify()).intact).toBe(true);
	});

	it('in another process is reported with its pid, and readers see its commits', { timeout: 120_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const writer = fileURLToPath(import.meta.resolve('@roost/testkit/rigs/record/store-crash-writer'));
		const child = spawn(process.execPath, ['--conditions=source', writer, path, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
		const ended = once(child, 'close');
		try {
			await once(child.stdout, 'data');
			const refused = unwrapError(openSqliteStore({ path, access: 'write' }));
			expect(refused).toMatchObject({ code: 'store_busy', message: expect.stringContaining(`process ${child.pid}.`) });
			await using reader = unwrap(openSqliteStore({ path, access: 'read' }));
			const count = () => unwrap(reader.read({ afterSeqNo: 0, limit: 1_000_000 })).length;
			const before = count();
			child.stdout.resume();
			await expect.poll(count, { timeout: 120_000 }).toBeGreaterThan(before);
			expect(unwrap(reader.verify())).toMatchObject({ intact: true });
		} finally {
			child.kill('SIGKILL');
			await ended;
		}
	});
});

describe('reader', () => {
	it('sees commits immediately and cannot append', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		await using writer = unwrap(openSqliteStore({ path, access: 'write' }));
		await using reader = unwrap(openSqliteStore({ path, access: 'read' }));
		for (const seq of [1, 2]) {
			const rows = { asks: [sampleAsk(`${seq}`)], rules: { add: [sampleRule(`${seq}`)] } };
			await writer.append(sampleAppend('a', [sampleEvent('a', seq)], rows));
			expect(unwrap(reader.read({ afterSeqNo: 0, limit: 10 }))).toHaveLength(seq);
			expect(unwrap(reader.search({ words: 'thing', limit: 10 }))).toHaveLength(seq);
			expect(unwrap(reader.asks({ state: 'pending' }))).toHaveLength(seq);
			expect(unwrap(reader.rules())).toHaveLength(seq);
			expect(unwrap(reader.outbox.readUnflushed({ runnerId: runnerId.parse('runner-1'), limit: 10 }))).toHaveLength(seq);
		}
		expect(unwrap(reader.epoch())).toBe(1);
		expect(unwrapError(await reader.openEpoch('', 1)).code).toBe('store_unavailable');
		expect(unwrapError(await reader.outbox.markFlushed({ runnerId: runnerId.parse('runner-1'), epoch: 1, seqNo: 1 })).code).toBe(
			'store_unavailable',
		);
		expect(unwrapError(await reader.append(sampleAppend('a', [sampleEvent('a', 3)]))).code).toBe('store_unavailable');
	});

	it('gets an error if there is no record yet', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		expect(unwrapError(openSqliteStore({ path, access: 'read' })).code).toBe('not_found');
		writeFileSync(path, '');
		expect(unwrapError(openSqliteStore({ path, access: 'read' })).code).toBe('not_found');
		expect(readdirSync(directory.path)).toEqual(['roost.db']);
	});
});

describe('database files', () => {
	it('are readable only by their owner, like their directory, with any umask', async () => {
		await using directory = await createTempDir();
		const home = join(directory.path, 'new', 'home');
		const umask = process.umask(0);
		try {
			await using store = unwrap(openSqliteStore({ path: join(home, 'roost.db'), access: 'write' }));
			await store.append(sampleAppend('a', [sampleEvent('a', 1)]));
			const names = readdirSync(home).toSorted();
			expect(names).toEqual(['roost.db', 'roost.db-shm', 'roost.db-wal', 'roost.db.heads', 'roost.db.lock', 'roost.db.pid']);
			expect(names.map((name) => lstatSync(join(home, name)).mode & 0o777)).toEqual(names.map(() => 0o600));
			expect(lstatSync(home).mode & 0o777).toBe(0o700);
		} finally {
			process.umask(umask);
		}
	});

	it('lose the permissions for other users', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		writeFileSync(path, '', { mode: 0o644 });
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(lstatSync(path).mode & 0o777).toBe(0o600);
		expect(unwrap(store.sessions())).toEqual([]);
	});

	it.each(['', '-wal', '-shm', '.heads', '.lock', '.pid'])('are never opened through a symlink at roost.db%s', async (suffix) => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const target = join(directory.path, 'elsewhere');
		symlinkSync(target, `${path}${suffix}`);
		expect(unwrapError(openSqliteStore({ path, access: 'write' }))).toMatchObject({ code: 'unsafe_path' });
		expect(readdirSync(directory.path)).not.toContain('elsewhere');
		// A refused open holds no lock: the next one is refused for the same reason.
		expect(unwrapError(openSqliteStore({ path, access: 'write' })).code).toBe('unsafe_path');
	});

	it('include a heads file at the configured path', async () => {
		await using directory = await createTempDir();
		const headsPath = join(directory.path, 'apart', 'heads');
		await using store = unwrap(openSqliteStore({ path: join(directory.path, 'roost.db'), headsPath, access: 'write' }));
		await store.append(sampleAppend('a', [sampleEvent('a', 1)]));
		expect(unwrap(store.verify()).intact).toBe(true);
		expect(lstatSync(headsPath).mode & 0o777).toBe(0o600);
	});
});

describe('file of another program', () => {
	it.each(['write', 'read'] as const)('is rejected when it is opened to %s', async (access) => {
		await using directory = await createTempDir();
		const file = (name: string) => join(directory.path, name);
		mkdirSync(file('directory'));
		writeFileSync(
			file('text'),
			'this is no database, it is only some text that is long enough to be read as a header of one'.repeat(20),
		);
		using other = new DatabaseSync(file('other'));
		other.exec('CREATE TABLE t (x)');
		const refuse = (path: string) => unwrapError(openSqliteStore({ path, access }));
		expect(refuse(file('directory'))).toMatchObject({
			code: 'store_unavailable',
			message: expect.stringContaining('is not a file'),
		});
		expect(refuse(file('text'))).toMatchObject({ code: 'corrupt', message: expect.stringContaining('not a Roost database') });
		expect(refuse(file('other'))).toMatchObject({ code: 'corrupt', message: expect.stringContaining('another program') });
		expect(refuse(join(file('text'), 'below')).code).toBe('store_unavailable');
	});

	it('is not changed', async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'other');
		using other = new DatabaseSync(path);
		other.exec('CREATE TABLE t (x)');
		chmodSync(path, 0o640);
		unwrapError(openSqliteStore({ path, access: 'write' }));
		expect(other.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 't' }]);
		expect(other.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
		expect(lstatSync(path).mode & 0o777).toBe(0o640);
	});
});
