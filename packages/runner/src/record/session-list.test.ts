import { createMemoryStore } from '@roost/store/memory-store';
import { sampleAppend, sampleEvent, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { createSessionRows, listSessions } from './session-list.ts';

describe('list of sessions', () => {
	it('has the title of the last shown event in pages and in the live list, but not in the whole list', async () => {
		const store = createMemoryStore();
		await using rig = createEngineRig({ store });
		rig.runtime.emit({ hookName: 'UserPromptSubmit', payload: { prompt: 'mend the roof' } });
		rig.runtime.emit({ hookName: 'Notification', payload: { message: 'the roof\nleaks' } });
		await rig.engine.settled();
		const rows = createSessionRows(store);
		const titled = { id: rig.sessionId, lastTitle: 'the roof …', lastEvent: { kind: 'notification' } };
		expect(unwrap(await rows.of([rig.sessionId]))).toMatchObject([titled]);
		expect(unwrap(await rows.page({ after: undefined, limit: 5 }))).toMatchObject([titled]);
		expect(unwrap(listSessions(store, { limit: 5 }))).toMatchObject([titled]);
		expect(unwrap(listSessions(store, {}))[0]).not.toHaveProperty('lastTitle');
		expect(unwrap(store.sessions())[0]).not.toHaveProperty('lastTitle');
	});

	it('has no title for a row of an older version, or if the last event is not at its place', async () => {
		const store = createMemoryStore();
		const add = async (id: string, offset: number | undefined) => {
			const lastEvent = offset === undefined ? undefined : { kind: 'notification', offset, ts: 1 };
			unwrap(await store.append(sampleAppend(id, [sampleEvent(id, 1)], { session: sampleSession(id, { lastEvent }) })));
		};
		await add('older', undefined);
		await add('other', 1);
		await add('beyond', 7);
		const rows = unwrap(listSessions(store, { limit: 5 }));
		expect(rows.map(({ id, lastTitle }) => [id, lastTitle])).toEqual([
			['beyond', undefined],
			['other', undefined],
			['older', undefined],
		]);
		await store.close();
	});
});
