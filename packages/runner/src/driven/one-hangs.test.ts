// A session on a hanging disk blocks only itself.
import { createMemoryStore } from '@roost/store/memory-store';
import { slowStore } from '@roost/testkit/rigs/record/faulty-store';
import { openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';

it('creates, prompts, interrupts, ends, resumes and forks a session while another waits for the disk', {
	timeout: 30_000,
}, async () => {
	const disk = slowStore(createMemoryStore());
	await using rig = await openDrivenRig({ store: disk.store });
	const stuck = await rig.create();
	disk.hold(stuck);
	const waiting = rig.driven.message(stuck, 'explain it');
	try {
		const id = await rig.create('explain it');
		expect(unwrap(await rig.driven.message(id, 'run the tests')).queued).not.toBeNull();
		unwrap(await rig.controls.adjust(id, { model: 'other' }));
		unwrap(await rig.driven.interrupt(id));
		expect(rig.story(id)).toContain('run.end');
		unwrap(await rig.driven.end(id));
		expect(rig.story(id)).toContain('session.end');
		unwrap(await rig.driven.resume(id));
		const child = unwrap(await rig.controls.fork(id)).sessionId;
		expect(rig.story(child)).toEqual(['session.start']);
		expect(rig.stored(stuck).some(({ kind }) => kind === 'user.prompt')).toBe(false);
	} finally {
		disk.release(stuck);
	}
	unwrap(await waiting);
	await rig.engine.settled();
	expect(rig.stored(stuck).some(({ kind }) => kind === 'user.prompt')).toBe(true);
});
