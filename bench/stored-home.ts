// A home with events of many sessions, written through the store like by a runner.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toProjectId } from '@roost/store/project-id';
import { openSqliteStore } from '@roost/store/sqlite-store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';

const BATCH = 1_000;
const TEXT = 'a few words that an agent might well have said ';

/** Sessions are named `s0`, `s1`, …; returns their number. */
export async function fillHome(
	home: string,
	events: number,
	{ perSession = 5_000, project = '/project' }: { perSession?: number; project?: string } = {},
): Promise<number> {
	// The runner started here continues with these sequence numbers.
	writeFileSync(join(home, 'runner-id'), 'runner-1\n', { mode: 0o600 });
	await using store = unwrap(openSqliteStore({ path: join(home, 'roost.db'), access: 'write' }));
	const place = { projectId: toProjectId('runner-1', project), projectPath: project };
	for (let at = 0; at < events; at += BATCH) {
		const session = `s${Math.floor(at / perSession)}`;
		const batch = Array.from({ length: BATCH }, (_, index) =>
			sampleEvent(session, (at % perSession) + index + 1, {
				kind: 'agent.message',
				data: { text: `${TEXT}${at + index}` },
			}),
		);
		const row = sampleSession(session, { ...place, events: perSession });
		unwrap(await store.append(sampleAppend(session, batch, { projectId: row.projectId, session: row })));
	}
	return Math.ceil(events / perSession);
}
