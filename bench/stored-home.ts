// A home in which much has happened: events of many sessions, stored through the store as a runner would.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';

const PER_SESSION = 5_000;
const BATCH = 1_000;
const TEXT = 'a few words that an agent might well have said ';

/** Sessions are named `s0`, `s1`, …; returns how many there are. */
export async function fillHome(home: string, events: number): Promise<number> {
	// The runner that is started here goes on with the same numbers.
	writeFileSync(join(home, 'runner-id'), 'runner-1\n', { mode: 0o600 });
	await using store = unwrap(openSqliteStore({ path: join(home, 'roost.db'), access: 'write' }));
	const sessions = events / PER_SESSION;
	for (let at = 0; at < events; at += BATCH) {
		const session = `s${Math.floor(at / PER_SESSION)}`;
		const batch = Array.from({ length: BATCH }, (_, index) =>
			sampleEvent(session, (at % PER_SESSION) + index + 1, {
				kind: 'agent.message',
				title: 'message',
				data: { text: `${TEXT}${at + index}` },
			}),
		);
		unwrap(await store.append(sampleAppend(session, batch, { session: sampleSession(session, { events: PER_SESSION }) })));
	}
	return sessions;
}
