import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runnerId, streamId } from '@roost/protocol/ids';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { genesisHash, nextHash } from './hash-chain.ts';
import { readHeads } from './heads-file.ts';
import { numberOf, textOf } from './row-values.ts';
import { openSqliteStore } from './sqlite-store.ts';

/** Streams a and b with five events each, alternating, then closed. */
async function createWorld() {
	const directory = await createTempDir();
	const path = join(directory.path, 'roost.db');
	const world = {
		path,
		headsPath: `${path}.heads`,
		sql(text: string): void {
			using db = new DatabaseSync(path);
			db.exec(text);
		},
		async problems(stream?: string): Promise<string[]> {
			await using store = unwrap(openSqliteStore({ path, access: 'read' }));
			const report = unwrap(store.verify(stream === undefined ? undefined : streamId.parse(stream)));
			const problems = [...report.problems, ...report.streams.flatMap((one) => one.problems)];
			expect(report.intact).toBe(problems.length === 0);
			return problems;
		},
		async appendMore(from: number): Promise<void> {
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			for (const stream of ['a', 'b']) unwrap(await store.append(sampleAppend(stream, [sampleEvent(stream, from)])));
		},
		[Symbol.asyncDispose]: directory[Symbol.asyncDispose],
	};
	for (const seq of [1, 2, 3, 4, 5]) await world.appendMore(seq);
	expect(await world.problems()).toEqual([]);
	return world;
}

const AT = (stream: string, offset: number) =>
	`stream_no = (SELECT stream_no FROM streams WHERE stream = '${stream}') AND offset = ${offset}`;

describe('verify reports that', () => {
	it('an event was edited', async () => {
		await using world = await createWorld();
		world.sql(`UPDATE events SET line = replace(line, 'do thing 3', 'do thing 9') WHERE ${AT('a', 3)}`);
		expect(await world.problems()).toEqual([expect.stringMatching(/^Stream a: the event at offset 3 was changed/)]);
		expect(await world.problems('a')).toHaveLength(1);
		expect(await world.problems('b')).toEqual([]);
	});

	it('an event was edited and its own hash recomputed', async () => {
		await using world = await createWorld();
		world.sql(`UPDATE events SET line = replace(line, 'do thing 3', 'do thing 9') WHERE ${AT('a', 3)}`);
		rehash(world.path, 'a', 3, 3);
		expect(await world.problems()).toContainEqual(expect.stringMatching(/^Stream a: the event at offset 4 was changed/));
	});

	it('an event was edited and the whole chain recomputed', async () => {
		await using world = await createWorld();
		world.sql(`UPDATE events SET line = replace(line, 'do thing 3', 'do thing 9') WHERE ${AT('a', 3)}`);
		rehash(world.path, 'a', 3, 5);
		expect(await world.problems()).toContainEqual(
			expect.stringMatching(/^Stream a: the hash at offset 5 is not the one in the heads file/),
		);
	});

	it('an event was deleted', async () => {
		await using world = await createWorld();
		world.sql(`DELETE FROM events WHERE ${AT('a', 3)}`);
		expect(await world.problems('a')).toEqual([
			expect.stringMatching(/^Stream a: the event at offset 3 is missing; .* offset 4/),
		]);
		expect(await world.problems()).toContainEqual('Stream b: seqNo 5 is missing from the log just before seqNo 6 at offset 3.');
	});

	it('the first event was deleted', async () => {
		await using world = await createWorld();
		world.sql(`DELETE FROM events WHERE ${AT('a', 1)}`);
		expect(await world.problems()).toContainEqual(expect.stringMatching(/^Stream a: the event at offset 1 is missing/));
	});

	it('two events were swapped', async () => {
		await using world = await createWorld();
		world.sql(`
			UPDATE events SET offset = 99 WHERE ${AT('a', 2)};
			UPDATE events SET offset = 2 WHERE ${AT('a', 3)};
			UPDATE events SET offset = 3 WHERE ${AT('a', 99)};
		`);
		const problems = await world.problems();
		for (const offset of [2, 3])
			expect(problems).toContainEqual(expect.stringContaining(`Stream a: the event at offset ${offset} was`));
	});

	it('an event was inserted, with the chain recomputed', async () => {
		await using world = await createWorld();
		world.sql(`
			UPDATE events SET offset = offset + 100 WHERE stream_no = 0 AND offset > 2;
			UPDATE events SET offset = offset - 99 WHERE stream_no = 0 AND offset > 100;
			INSERT INTO events SELECT 1000, stream_no, 3, 'forged', hash, line FROM events WHERE ${AT('a', 2)};
		`);
		rehash(world.path, 'a', 3, 6);
		const problems = await world.problems();
		expect(problems).toContainEqual(expect.stringMatching(/^Stream a: the event at offset 3 was moved/));
		expect(problems).toContainEqual(expect.stringMatching(/offset 3 is filed under an event id/));
		expect(problems).toContainEqual(expect.stringMatching(/^Stream a: the hash at offset 5 is not the one in the heads file/));
	});

	it('the tail was truncated', async () => {
		await using world = await createWorld();
		world.sql(`DELETE FROM events WHERE ${AT('a', 5)}; DELETE FROM events WHERE ${AT('b', 5)}`);
		expect(await world.problems()).toEqual([
			'Runner runner-1: the log ends at seqNo 8, and it had reached 10; it was cut.',
			'Stream a: the log was cut after offset 4; the heads file knows of offset 5.',
			'Stream b: the log was cut after offset 4; the heads file knows of offset 5.',
		]);
	});

	it('the tail was truncated, even after further appends', async () => {
		await using world = await createWorld();
		world.sql(`DELETE FROM events WHERE ${AT('a', 5)}; DELETE FROM events WHERE ${AT('b', 5)}`);
		await world.appendMore(6);
		await world.appendMore(7);
		expect(await world.problems('a')).toEqual([
			expect.stringMatching(/^The heads file .* reports a cut: .* seqNo 8, and had reached 10/),
			expect.stringMatching(/^Stream a: the hash at offset 5 is not the one in the heads file/),
		]);
	});

	it('a whole stream was removed', async () => {
		await using world = await createWorld();
		world.sql(`DELETE FROM events WHERE stream_no = 1; DELETE FROM streams WHERE stream = 'b'`);
		expect(await world.problems()).toContainEqual('Stream b: all its events are gone; the heads file knows of offset 5.');
		expect(await world.problems('b')).toHaveLength(2);
	});

	it('a stream was renamed', async () => {
		await using world = await createWorld();
		world.sql(`UPDATE streams SET stream = 'c' WHERE stream = 'a'`);
		const problems = await world.problems();
		expect(problems).toContainEqual(expect.stringMatching(/^Stream a: all its events are gone/));
		expect(problems).toContainEqual(expect.stringMatching(/^Stream c: the event at offset 1 was changed or moved/));
	});

	it('an event was stored under another id', async () => {
		await using world = await createWorld();
		world.sql(`UPDATE events SET event_id = 'other' WHERE ${AT('b', 2)}`);
		expect(await world.problems()).toEqual([
			expect.stringMatching(/^Stream b: the event at offset 2 is filed under an event id/),
		]);
	});

	it('a head in the heads file was changed', async () => {
		await using world = await createWorld();
		const text = readFileSync(world.headsPath, 'utf8');
		writeFileSync(world.headsPath, text.replace(/^[0-9a-f]{64} 4 "b"$/m, `${'0'.repeat(64)} 4 "b"`));
		expect(await world.problems()).toEqual([
			expect.stringMatching(/^Stream b: the hash at offset 4 is not the one in the heads file/),
		]);
	});

	it('the heads file has unknown lines', async () => {
		await using world = await createWorld();
		appendFileSync(world.headsPath, 'nonsense\n');
		expect(await world.problems('a')).toEqual([
			expect.stringMatching(/^Line 12 of the heads file .* was damaged: .* stream a .* offset 5/),
		]);
	});

	it('the heads file is missing, even after a writer has created a new one', async () => {
		await using world = await createWorld();
		rmSync(world.headsPath);
		expect(await world.problems('a')).toEqual([
			expect.stringMatching(/^The heads file .* is missing: that stream a was not cut after offset 5/),
		]);
		await world.appendMore(6);
		expect(await world.problems('a')).toEqual([
			expect.stringMatching(/the heads file was emptied/),
			expect.stringMatching(/was begun late, at 10 events/),
		]);
	});
});

describe('verify accepts', () => {
	it('a database that is ahead of the heads file after a crash', async () => {
		await using world = await createWorld();
		await using store = unwrap(openSqliteStore({ path: world.path, access: 'write' }));
		for (const stream of ['a', 'b']) unwrap(await store.append(sampleAppend(stream, [sampleEvent(stream, 6)])));
		// The files after a power cut, without the last heads.
		await using crashed = await createTempDir();
		const path = join(crashed.path, 'roost.db');
		for (const suffix of ['', '-wal', '.heads']) copyFileSync(`${world.path}${suffix}`, `${path}${suffix}`);
		const lines = readFileSync(`${path}.heads`, 'utf8').split('\n');
		writeFileSync(`${path}.heads`, `${lines.slice(0, -3).join('\n')}\n${lines.at(-3)?.slice(0, 20)}`);
		await using again = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(unwrap(again.verify()).intact).toBe(true);
		expect(readHeads(`${path}.heads`)?.heads.filter(({ offset }) => offset === 6)).toHaveLength(2);
	});

	it('several runners that count their own events', async () => {
		await using world = await createWorld();
		await using store = unwrap(openSqliteStore({ path: world.path, access: 'write' }));
		unwrap(await store.append(sampleAppend('c', [sampleEvent('c', 1)], { runnerId: runnerId.parse('runner-2') })));
		expect(unwrap(store.verify()).intact).toBe(true);
	});
});

/** Tampering by an intruder who knows the format. */
function rehash(path: string, stream: string, from: number, to: number): void {
	using db = new DatabaseSync(path);
	const rows = db
		.prepare('SELECT offset, hash, line FROM events JOIN streams USING (stream_no) WHERE stream = ? ORDER BY offset')
		.all(stream);
	let previous = genesisHash(stream);
	for (const row of rows) {
		const offset = numberOf(row, 'offset');
		const hash = offset >= from && offset <= to ? nextHash(previous, textOf(row, 'line')) : textOf(row, 'hash');
		db.exec(`UPDATE events SET hash = '${hash}' WHERE ${AT(stream, offset)}`);
		previous = hash;
	}
}
