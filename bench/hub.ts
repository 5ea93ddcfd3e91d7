// All benchmarks of a hub.
import type { BenchRow } from './bench-row.ts';
import { run as ingest } from './hub-ingest.ts';
import { run as load } from './hub-load.ts';
import { run as nodes } from './hub-nodes.ts';
import { run as sockets } from './hub-sockets.ts';

export async function run(): Promise<BenchRow[]> {
	const rows: BenchRow[] = [];
	for (const part of [ingest, nodes, load, sockets]) rows.push(...(await part()));
	return rows;
}
