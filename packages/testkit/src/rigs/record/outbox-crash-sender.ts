// A writer process for the crash tests that also sends: its stdout is the hub, which has a line once it is written there.
import { writeSync } from 'node:fs';
import { runnerId } from '@roost/protocol/ids';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { unwrap } from '../unwrap.ts';
import { sampleAppend, sampleEvent } from './sample-append.ts';

const RUNNER = runnerId.parse('runner-1');
const BATCH = 7;

/** Runs until it is killed. Stores more than it sends, so that a kill always finds unsent events. */
async function sendWithoutEnd(path: string, round: string): Promise<void> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	for (let seq = 1; ; ) {
		const events = Array.from({ length: BATCH + 1 }, () => sampleEvent(`s-${round}`, seq++));
		const stored = store.append(sampleAppend('s', events));
		const batch = unwrap(store.outbox.readUnflushed({ runnerId: RUNNER, limit: BATCH }));
		for (const { line } of batch) writeSync(1, `${line}\n`);
		const last = batch.at(-1);
		if (last !== undefined) unwrap(await store.outbox.markFlushed({ runnerId: RUNNER, epoch: 1, seqNo: last.seqNo }));
		unwrap(await stored);
	}
}

const [, , path, round] = process.argv;
if (path !== undefined && round !== undefined) await sendWithoutEnd(path, round);
