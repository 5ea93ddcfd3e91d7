// Driven sessions whose agent has exited, was killed with its runner, or exits slowly.
import { type ChildProcess, spawn } from 'node:child_process';
import { readIdentity } from '@roost/machine/process-identity';
import { sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('session whose agent has exited', () => {
	it('continues in the same session after a restart, with its own conversation', async () => {
		const store = createMemoryStore();
		let id = sessionId.parse('none');
		{
			await using rig = await openDrivenRig({ store });
			id = await rig.create('first');
			await rig.play();
		}
		await using rig = await openDrivenRig({ store });
		unwrap(await rig.driven.message(id, 'second'));
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second']);
		const starts = rig.stored(id).flatMap((event) => (event.kind === 'session.start' ? [event.data.source] : []));
		expect(starts).toEqual(['startup', 'resume']);
		const [row, ...others] = unwrap(store.sessions({}));
		expect(others).toEqual([]);
		expect(row).toMatchObject({ status: 'idle', driven: true });
		expect(row?.nativeIds).toHaveLength(1);
	});

	it('continues after its runner was killed during a run', async () => {
		const store = createMemoryStore();
		await using killed = await openDrivenRig({ store });
		const id = await killed.create('run the tests');
		await killed.play();
		await using rig = await openDrivenRig({ store });
		expect(await rig.driven.interrupt(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
		unwrap(await rig.driven.message(id, 'read it'));
		await rig.play();
		const ends = rig.stored(id).flatMap((event) => (event.kind === 'run.end' ? [event.data.status] : []));
		expect(ends).toEqual(['aborted', 'completed']);
	});

	it('is resumed once if it is requested twice', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create();
		unwrap(await rig.driven.end(id));
		await Promise.all([rig.driven.resume(id), rig.driven.resume(id)]);
		expect(rig.story(id)).toEqual(['session.start', 'session.end', 'session.start']);
	});

	it('is resumed even if the agent exited by itself', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		rig.agents[0]?.connection.close();
		await rig.engine.settled();
		expect(rig.driven.working()).toBe(0);
		unwrap(await rig.driven.message(id, 'read it'));
		await rig.play();
		expect(rig.agents).toHaveLength(2);
		expect(rig.prompts(id)).toEqual(['explain it', 'read it']);
	});

	it('ends the run of an agent that exits unexpectedly', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		rig.agents[0]?.runtime.stop();
		rig.engine.note(id, { kind: 'runtime.error', data: { code: 'internal', message: 'it fell over' } });
		await rig.play(100);
		expect(rig.stored(id).at(-1)).toMatchObject({
			kind: 'run.end',
			data: { status: 'aborted', reason: 'its agent exited unexpectedly' },
		});
		expect(rig.driven.working()).toBe(0);
	});

	it('continues if it is prompted while it is ending', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		await rig.play(200);
		await Promise.all([rig.driven.end(id), rig.driven.message(id, 'read it')]);
		await rig.play();
		const ends = rig.stored(id).flatMap((event) => (event.kind === 'run.end' ? [event.data.status] : []));
		expect(ends).toEqual(['aborted', 'completed']);
		expect(rig.prompts(id)).toEqual(['explain it', 'read it']);
	});

	it('is recorded as ended once, even without an agent', async () => {
		const store = createMemoryStore();
		await using killed = await openDrivenRig({ store });
		const id = await killed.create('run the tests');
		await killed.play();
		await using rig = await openDrivenRig({ store });
		const status = () => unwrap(store.sessions({ id }))[0]?.status;
		expect(status()).toBe('interrupted');
		for (let times = 0; times < 2; times += 1) unwrap(await rig.driven.end(id));
		expect(status()).toBe('ended');
		expect(rig.story(id).slice(-2)).toEqual(['run.end', 'session.end']);
		unwrap(await rig.driven.message(id, 'read it'));
		await rig.play();
		expect(status()).toBe('idle');
	});

	it('is resumed only after the process of its agent has exited', async () => {
		let slow: ChildProcess | undefined;
		const wasThere: boolean[] = [];
		await using rig = await openDrivenRig({ opening: () => wasThere.push(readIdentity(slow?.pid ?? 0) !== null) });
		const id = await rig.create('read it');
		await rig.play();
		slow = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1_000)'], { stdio: 'ignore' });
		rig.requests[0]?.onSpawned?.(slow.pid ?? 0);
		await Promise.all([rig.driven.end(id), rig.driven.message(id, 'go on')]);
		expect(wasThere).toEqual([false, false]);
	});

	it('discards its queued prompts when it ends', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		unwrap(await rig.driven.message(id, 'never'));
		unwrap(await rig.driven.end(id));
		expect(rig.queue.all()).toEqual([]);
		expect(rig.story(id).slice(-2)).toEqual(['session.end', 'run.end']);
		expect(rig.driven.working()).toBe(0);
	});
});
