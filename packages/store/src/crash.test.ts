import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import type { Acknowledged } from '@roost/testkit/rigs/record/store-crash-writer';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

const ROUNDS = process.env.ROOST_SOAK === '1' ? 30 : 3;
const SENDER = fileURLToPath(import.meta.resolve('@roost/testkit/rigs/record/outbox-crash-sender'));
const WRITER = fileURLToPath(import.meta.resolve('@roost/testkit/rigs/record/store-crash-writer'));

describe('writer killed while writing', () => {
	it(`loses no acknowledged event and duplicates none, in ${ROUNDS} rounds`, { timeout: ROUNDS * 20_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const acknowledged: Acknowledged[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const more = await writeUntilKilled(path, `${round}`, 1 + Math.floor(Math.random() * 300));
			expect(more.length).toBeGreaterThan(0);
			acknowledged.push(...more);
			// Read first in its current state, then by the next writer, which recovers it.
			for (const access of ['read', 'write'] as const) {
				await using store = unwrap(openSqliteStore({ path, access }));
				expectWhole(store, acknowledged);
			}
		}
	});

	it('leaves no lock behind', { timeout: 120_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		await writeUntilKilled(path, '0', 1);
		expect(readFileSync(`${path}.pid`, 'utf8')).toMatch(/^\d+\n$/);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		expect(unwrap(store.read({ afterSeqNo: 0, limit: 1 }))).toHaveLength(1);
	});
});

describe('sender killed between an event, its sending and its acknowledgement', () => {
	it(`still has exactly the unacknowledged events to send, in ${ROUNDS} rounds`, { timeout: ROUNDS * 20_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const runner = runnerId.parse('runner-1');
		const hub = new Map<number, string>();
		for (let round = 0; round < ROUNDS; round++) {
			const enough = 1 + Math.floor(Math.random() * 300);
			const command = [process.execPath, '--conditions=source', SENDER, path, `${round}`];
			for (const line of await runWriter(command, (seen) => seen.length >= enough)) receive(hub, line);
			await using store = unwrap(openSqliteStore({ path, access: 'write' }));
			const log = unwrap(store.read({ afterSeqNo: 0, limit: 1_000_000 }));
			const { flushedSeqNo, lastSeqNo } = unwrap(store.outbox.state(runner));
			expect(lastSeqNo).toBe(log.length);
			expect(unwrap(store.outbox.readUnflushed({ runnerId: runner, limit: 1_000_000 }))).toEqual(log.slice(flushedSeqNo));
			// Only lines that the hub has are acknowledged; lines that it has beyond those are sent again unchanged.
			const received = log.filter(({ seqNo }) => hub.has(seqNo));
			expect(received.length).toBeGreaterThanOrEqual(flushedSeqNo);
			expect(received).toEqual(log.slice(0, hub.size));
			expect([...hub.values()]).toEqual(received.map(({ line }) => line));
			expectWhole(store, []);
		}
	});
});

describe('writer whose files cannot grow', () => {
	it('fails the commit with an error, and keeps all acknowledged events', { timeout: 120_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		const lines = await runWriter(limitedTo(2_000, path), () => false);
		const refused = lines.findIndex((line) => line.startsWith('refused'));
		expect(lines[refused]).toMatch(/^refused store_unavailable The disk of .* retry\.$/);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		expectWhole(store, lines.slice(0, refused).map(parseAcknowledged));
	});

	it('continues when only the heads file cannot grow', { timeout: 120_000 }, async () => {
		await using directory = await createTempDir();
		const path = join(directory.path, 'roost.db');
		// Not by a writer that is killed: on a busy machine it reaches the limit before the kill.
		const acknowledged = await writeOne(path);
		const head = readFileSync(`${path}.heads`, 'utf8').split('\n')[1];
		appendFileSync(`${path}.heads`, `${head}\n`.repeat(Math.floor((1_500 * 1_024) / 71)));
		const lines = await runWriter(limitedTo(1_500, path), (seen) => seen.length >= 30);
		// A writer that is killed late reaches the limit with its other files, too.
		const written = lines.filter((line) => !line.startsWith('refused'));
		expect(written.length).toBeGreaterThanOrEqual(30);
		await using store = unwrap(openSqliteStore({ path, access: 'write' }));
		expectWhole(store, [acknowledged, ...written.map(parseAcknowledged)]);
	});
});

/** The file size limit makes a write at commit fail, like a full disk. */
function limitedTo(kibibytes: number, path: string): string[] {
	return [
		'bash',
		'-c',
		`trap '' XFSZ; ulimit -f ${kibibytes}; exec "$0" "$@"`,
		process.execPath,
		'--conditions=source',
		WRITER,
		path,
		'limited',
	];
}

async function writeOne(path: string): Promise<Acknowledged> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	const event = sampleEvent('s0-first', 1);
	const { firstOffset, firstSeqNo } = unwrap(await store.append(sampleAppend('s0', [event])));
	return { stream: 's0', firstOffset, firstSeqNo, ids: [event.event_id] };
}

async function writeUntilKilled(path: string, round: string, after: number): Promise<Acknowledged[]> {
	const lines = await runWriter([process.execPath, '--conditions=source', WRITER, path, round], (seen) => seen.length >= after);
	return lines.map(parseAcknowledged);
}

/** The complete lines that a writer printed until it exited, or was killed after enough of them. */
async function runWriter([command = '', ...args]: string[], isEnough: (seen: readonly string[]) => boolean): Promise<string[]> {
	const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	const ended = once(child, 'close');
	const seen: string[] = [];
	let text = '';
	child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
		const lines = (text + chunk).split('\n');
		// The last piece is empty, or a line truncated by the kill.
		text = lines.pop() ?? '';
		seen.push(...lines);
		if (isEnough(seen)) child.kill('SIGKILL');
	});
	await ended;
	return seen;
}

function receive(hub: Map<number, string>, line: string): void {
	const { seqNo } = JSON.parse(line);
	expect(hub.get(seqNo) ?? line).toBe(line);
	hub.set(seqNo, line);
}

function parseAcknowledged(line: string): Acknowledged {
	return JSON.parse(line);
}

function expectWhole(store: Store, acknowledged: readonly Acknowledged[]): void {
	const entries = unwrap(store.read({ afterSeqNo: 0, limit: 1_000_000 }));
	expect(entries.map(({ seqNo }) => seqNo)).toEqual(entries.map((_, at) => at + 1));
	for (const list of Map.groupBy(entries, ({ stream }) => stream).values()) {
		expect(list.map(({ offset }) => offset)).toEqual(list.map((_, at) => at + 1));
	}
	const ids = entries.map(eventIdOf);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { stream, firstOffset, firstSeqNo, ids: expected } of acknowledged) {
		const found = entries.slice(firstSeqNo - 1, firstSeqNo - 1 + expected.length);
		expect(found.map(eventIdOf)).toEqual(expected);
		expect(found.map((entry) => [entry.stream, entry.offset])).toEqual(expected.map((_, at) => [stream, firstOffset + at]));
	}
	expect(unwrap(store.verify()).streams.flatMap(({ problems }) => problems)).toEqual([]);
}

function eventIdOf({ line }: LogEntry): string {
	return JSON.parse(line).event.event_id;
}
