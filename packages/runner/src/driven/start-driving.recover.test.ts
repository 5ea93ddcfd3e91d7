import { createMemoryStore } from '@roost/store/memory-store';
import { openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('runner that starts after another was killed', () => {
	it('records interrupted runs and cancels their requests', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const id = await killed.create('run the tests');
		await killed.play();
		expect(unwrap(store.sessions({ id }))[0]).toMatchObject({ status: 'waiting' });
		await using rig = await openDrivenRig({ store });
		expect(unwrap(store.sessions({ id }))[0]).toMatchObject({ status: 'interrupted' });
		expect(rig.engine.asks.list({})).toEqual([]);
		expect(rig.stored(id).at(-1)).toMatchObject({
			kind: 'run.end',
			data: { status: 'aborted', reason: 'the runner ended while its agent worked' },
		});
		await killed[Symbol.asyncDispose]();
	});

	it('records nothing for idle sessions', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const id = await killed.create('read it');
		await killed.play();
		const before = killed.stored(id);
		await using rig = await openDrivenRig({ store });
		expect(rig.stored(id)).toEqual(before);
		await killed[Symbol.asyncDispose]();
	});

	it('does not touch an agent that is still running in a terminal', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const id = await killed.create('explain it');
		await killed.play(100);
		killed.engine.note(id, { kind: 'session.drive', data: { mode: 'pty', cwd: killed.project } });
		await killed.engine.settled();
		const before = killed.stored(id);
		await using rig = await openDrivenRig({ store, reports: () => true });
		expect(rig.stored(id)).toEqual(before);
		await using other = await openDrivenRig({ store });
		expect(other.stored(id).at(-1)).toMatchObject({ kind: 'run.end', data: { status: 'aborted' } });
		await killed[Symbol.asyncDispose]();
	});

	it('resumes an agent with its original folder, model, mode and tools', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const choices = { model: 'other', permissionMode: 'plan', allowedTools: ['Read'] };
		const created = await killed.driven.create({ projectId: killed.project, cwd: killed.folder, agent: 'mock', ...choices });
		const { sessionId: id } = unwrap(created);
		await killed.play();
		await using rig = await openDrivenRig({ store });
		unwrap(await rig.driven.resume(id));
		expect(rig.requests.at(-1)).toMatchObject({ ...choices, cwd: killed.folder, resume: { fork: false } });
		await killed[Symbol.asyncDispose]();
	});
});

describe('conversation that is open in a terminal', () => {
	it('cannot be resumed by a second writer, but can be forked', async () => {
		const store = createMemoryStore();
		const first = await openDrivenRig({ store });
		const id = await first.create('read it');
		await first.play();
		await first[Symbol.asyncDispose]();
		await using rig = await openDrivenRig({ store, reports: () => true });
		expect(await rig.driven.message(id, 'me too')).toMatchObject({
			ok: false,
			error: { code: 'conflict', message: 'This conversation is open in a terminal: end it there first, or fork it.' },
		});
		unwrap(await rig.controls.fork(id));
	});
});
