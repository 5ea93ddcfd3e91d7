// The view of a live session over the API: always of exactly the events that are stored.
import { createSessionView, foldSessionView } from '@roost/core/views/session-view';
import { createMemoryStore } from '@roost/store/memory-store';
import { breakableStore, slowStore } from '@roost/testkit/rigs/record/faulty-store';
import { createEngineRig, type EngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('view of a live session', () => {
	it('equals the fold of its log, and does not change with later events', async () => {
		await using rig = createEngineRig();
		notify(rig, 'one');
		await rig.engine.settled();
		const view = await rig.engine.viewOf(rig.sessionId);
		expect(view).toEqual(foldStored(rig));
		notify(rig, 'two');
		await rig.engine.settled();
		expect(view?.summary.events).toBe(rig.stored().length - 1);
	});

	it('waits for events that are not stored yet', async () => {
		const { store, hold, release } = slowStore(createMemoryStore());
		await using rig = createEngineRig({ store });
		notify(rig, 'one');
		await rig.engine.settled();
		const before = rig.stored().length;
		hold(rig.sessionId);
		notify(rig, 'two');
		await unsaved(rig);
		const view = rig.engine.viewOf(rig.sessionId);
		notify(rig, 'three');
		release(rig.sessionId);
		expect((await view)?.summary.events).toBeGreaterThan(before);
		await rig.engine.settled();
		expect(await rig.engine.viewOf(rig.sessionId)).toEqual(foldStored(rig));
	});

	it('is undefined while the disk fails, and for a session that is not live', async () => {
		const { store, break: breakDisk } = breakableStore(createMemoryStore());
		await using rig = createEngineRig({ store });
		notify(rig, 'one');
		await rig.engine.settled();
		breakDisk();
		notify(rig, 'two');
		await unsaved(rig);
		expect(await rig.engine.viewOf(rig.sessionId)).toBeUndefined();
		await using other = createEngineRig({ store, sessionId: 's2' });
		expect(await other.engine.viewOf(rig.sessionId)).toBeUndefined();
	});
});

function notify({ runtime }: EngineRig, message: string): void {
	runtime.emit({ hookName: 'Notification', payload: { message } });
}

/** Resolves when the session has events that are not stored. */
async function unsaved({ engine, sessionId, stored }: EngineRig): Promise<void> {
	const { view } = unwrap(engine.session(sessionId));
	await waitFor(() => view().summary.events > stored().length || undefined, { what: 'an event that is not stored' });
}

function foldStored(rig: EngineRig) {
	const view = createSessionView(rig.sessionId);
	for (const { event } of rig.stored()) foldSessionView(view, event);
	return view;
}
