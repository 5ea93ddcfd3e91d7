import { sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { describe, expect, it } from 'vitest';

describe('session of a report', () => {
	it('stays the same after clear, although the native id changes', async () => {
		await using rig = createEngineRig();
		start(rig, 'n1', 'startup');
		start(rig, 'n2', 'clear');
		rig.runtime.emit({ hookName: 'Notification', sessionId: 'n2', payload: { message: 'x' } });
		await rig.engine.settled();
		expect(rows(rig)).toMatchObject([
			{
				id: 's1',
				nativeIds: [
					{ id: 'n1', reason: 'startup' },
					{ id: 'n2', reason: 'clear' },
				],
			},
		]);
	});

	it('is a child session after a fork', async () => {
		await using rig = createEngineRig();
		start(rig, 'n1', 'startup');
		start(rig, 'n2', 'fork');
		await rig.engine.settled();
		expect(rows(rig).map((row) => [row.id, row.parentId])).toEqual(
			expect.arrayContaining([
				['s1', undefined],
				['s1-fork1', 's1'],
			]),
		);
	});

	it('is the earlier session if a later launch resumes its conversation', async () => {
		const store = createMemoryStore();
		await using first = createEngineRig({ store });
		start(first, 'n1', 'startup');
		await first.engine.settled();
		await using second = createEngineRig({ store, sessionId: 's2' });
		start(second, 'n1', 'resume');
		await second.engine.settled();
		expect(rows(second).map((row) => row.id)).toEqual(['s1']);
	});

	it('is the one of the launch if the report names none', async () => {
		await using rig = createEngineRig();
		rig.runtime.emit({ hookName: 'RuntimeError', sessionId: '', payload: { code: 'bad_request', message: 'x' } });
		await rig.engine.settled();
		expect(rig.kinds()).toEqual(['runtime.error']);
		expect(rig.sessionId).toBe(sessionId.parse('s1'));
	});
});

type Rig = ReturnType<typeof createEngineRig>;

function start(rig: Rig, nativeId: string, source: string): void {
	rig.runtime.emit({ hookName: 'SessionStart', sessionId: nativeId, payload: { source } });
}

function rows(rig: Rig) {
	const found = rig.store.sessions();
	if (!found.ok) throw found.error;
	return found.value;
}
