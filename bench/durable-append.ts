// Durable append: events written to disk per second and the latency of one, against plain fdatasync on the same disk.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventId } from '@roost/protocol/ids';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { sampleAppend, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import type { BenchRow } from './bench-row.ts';

/** Floor and value alternate, so that load on the machine affects both. */
const ROUNDS = 8;
const TURN_MS = 600;
const REQUESTS = 250;
/** One action of an agent is often several facts: a call, its decision, a change of state. */
const PER_REQUEST = 4;
/** Gives a stored line of about 650 bytes, the size of a common tool call. */
const LINE = 'x'.repeat(300);

export async function run(): Promise<BenchRow[]> {
	const directory = mkdtempSync(join(tmpdir(), 'roost-bench-'));
	const floor = openSync(join(directory, 'floor'), 'w');
	const store = unwrap(openSqliteStore({ path: join(directory, 'roost.db'), access: 'write' }));
	try {
		const append = createAppender(store);
		const syncs: number[] = [];
		const acks: number[] = [];
		const rates: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			await repeat(async () => syncs.push(await timed(() => syncOnce(floor))));
			await repeat(async () => acks.push(await timed(() => append(1, 1))));
			rates.push(await rowsPerSecond(append));
		}
		return [rateRow(syncs, rates), latencyRow(syncs, acks)];
	} finally {
		closeSync(floor);
		await store.close();
		rmSync(directory, { recursive: true, force: true });
	}
}

/** Creates events in advance where possible, to measure only the store. */
function createAppender(store: Store): (requests: number, perRequest: number) => Promise<void> {
	const event = sampleEvent('bench', 1, { kind: 'agent.message', data: { text: LINE } });
	const request = sampleAppend('bench', []);
	let seq = 0;
	const nextEvent = () => ({ ...event, seq: ++seq, event_id: `bench:R1:E${seq}` as EventId });
	return async (requests, perRequest) => {
		const pending = Array.from({ length: requests }, () => {
			return store.append({ ...request, events: Array.from({ length: perRequest }, nextEvent) });
		});
		for (const result of await Promise.all(pending)) unwrap(result);
	};
}

function syncOnce(file: number): void {
	writeSync(file, LINE);
	fdatasyncSync(file);
}

async function rowsPerSecond(append: (requests: number, perRequest: number) => Promise<void>): Promise<number> {
	let rows = 0;
	const started = performance.now();
	await repeat(async () => {
		await append(REQUESTS, PER_REQUEST);
		rows += REQUESTS * PER_REQUEST;
	});
	return rows / ((performance.now() - started) / 1_000);
}

async function repeat(action: () => Promise<unknown>): Promise<void> {
	const end = performance.now() + TURN_MS;
	while (performance.now() < end) await action();
}

async function timed(action: () => void | Promise<void>): Promise<number> {
	const started = performance.now();
	await action();
	return performance.now() - started;
}

function rateRow(syncs: readonly number[], rates: readonly number[]): BenchRow {
	const floorValue = 1_000 / mean(syncs);
	const value = mean(rates);
	const ratio = value / floorValue;
	const bar = `durable append, ${REQUESTS} requests of ${PER_REQUEST} events in flight`;
	return {
		bar,
		floor: 'fdatasync/s of the same disk',
		floorValue,
		value,
		unit: 'rows/s',
		ratio,
		target: '>= 20x',
		met: ratio >= 20,
	};
}

function latencyRow(syncs: readonly number[], acks: readonly number[]): BenchRow {
	const floorValue = p99(syncs);
	const value = p99(acks);
	const ratio = value / floorValue;
	const bar = 'durable append, p99 of one acknowledgement';
	return { bar, floor: 'p99 of one fdatasync', floorValue, value, unit: 'ms', ratio, target: '<= 3x', met: ratio <= 3 };
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function p99(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}
