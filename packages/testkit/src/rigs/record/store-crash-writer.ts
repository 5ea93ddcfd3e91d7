// A writer process for the crash tests: appends endlessly and prints what was acknowledged.
import { writeSync } from 'node:fs';
import { openSqliteStore } from '@roost/store/sqlite-store';
import type { Store } from '@roost/store/store';
import { unwrap } from '../unwrap.ts';
import { sampleAppend, sampleEvent, sampleSession } from './sample-append.ts';

export type Acknowledged = { stream: string; firstOffset: number; firstSeqNo: number; ids: string[] };

/** Runs until it is killed, or until the first refusal, which it reports as `refused <code> <message>`. */
async function writeWithoutEnd(path: string, round: string): Promise<void> {
	await using store = unwrap(openSqliteStore({ path, access: 'write' }));
	const counter = { next: 1 };
	for (;;) {
		// Groups of one to five requests with one to three events, so that a kill interrupts commits of every size.
		const group = Array.from({ length: (counter.next % 5) + 1 }, (_, at) => appendSome(store, round, counter, at));
		if ((await Promise.all(group)).includes(false)) return;
	}
}

async function appendSome(store: Store, round: string, counter: { next: number }, at: number): Promise<boolean> {
	const session = `s${at % 3}`;
	const events = Array.from({ length: (counter.next % 3) + 1 }, () => sampleEvent(`${session}-${round}`, counter.next++));
	const result = await store.append(sampleAppend(session, events, { session: sampleSession(session, { events: counter.next }) }));
	if (!result.ok) {
		writeSync(1, `refused ${result.error.code} ${result.error.message}\n`);
		return false;
	}
	const { firstOffset, firstSeqNo } = result.value;
	const acknowledged: Acknowledged = { stream: session, firstOffset, firstSeqNo, ids: events.map(({ event_id }) => event_id) };
	writeSync(1, `${JSON.stringify(acknowledged)}\n`);
	return true;
}

const [, , path, round] = process.argv;
if (path !== undefined && round !== undefined) await writeWithoutEnd(path, round);
