// A home with events of many sessions, written through the store like by a runner.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventId, runId } from '@roost/protocol/ids';
import { toProjectId } from '@roost/store/project-id';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';

const BATCH = 1_000;
const TEXT = 'a few words that an agent might well have said ';

/** `run`: far from 1 where an agent continues a session, whose own runs begin at 1. */
type StoredSessions = { perSession?: number; project?: string; name?: string; run?: number };

/** Sessions are named `s0`, `s1`, … unless another name is given; returns their number. */
export async function fillHome(
	home: string,
	events: number,
	{ perSession = 5_000, project = '/project', name = 's', run = 1 }: StoredSessions = {},
): Promise<number> {
	// The runner started here continues with these sequence numbers.
	writeFileSync(join(home, 'runner-id'), 'runner-1\n', { mode: 0o600 });
	await using store = unwrap(openSqliteStore({ path: join(home, 'roost.db'), access: 'write' }));
	const place = { projectId: toProjectId('runner-1', project), projectPath: project };
	for (let at = 0; at < events; at += BATCH) {
		const session = `${name}${Math.floor(at / perSession)}`;
		const batch = Array.from({ length: BATCH }, (_, index) => {
			const seq = (at % perSession) + index + 1;
			const event = sampleEvent(session, seq, { kind: 'agent.message', data: { text: storedText(at + index) } });
			return { ...event, run_id: runId.parse(`${session}:R${run}`), event_id: eventId.parse(`${session}:R${run}:E${seq}`) };
		});
		const row = sampleSession(session, { ...place, events: perSession });
		unwrap(await store.append(sampleAppend(session, batch, { projectId: row.projectId, session: row })));
	}
	return Math.ceil(events / perSession);
}

export function storedText(at: number): string {
	return `${TEXT}${at}`;
}
