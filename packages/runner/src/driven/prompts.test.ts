import type { FeedEvent } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { breakableStore } from '@roost/testkit/rigs/record/faulty-store';
import { type DrivenRig, openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

describe('prompt', () => {
	it('is recorded at each step: queued, sent, received and answered', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('first');
		const { promptId, queued } = unwrap(await rig.driven.message(id, 'second'));
		expect(queued).toMatchObject({ id: promptId, text: 'second' });
		await rig.play();
		expect(journey(rig.stored(id), promptId)).toEqual(['queued', 'sent', 'user.prompt', 'run.start', 'run.end']);
	});

	it('is recorded before its agent receives it', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create();
		const { promptId } = unwrap(await rig.driven.message(id, 'first'));
		await rig.play();
		const kinds = rig.stored(id).flatMap((event) => {
			if (event.kind === 'prompt.update' && event.data.prompt_id === promptId) return [event.data.state];
			return event.kind === 'user.prompt' ? [event.kind] : [];
		});
		expect(kinds).toEqual(['queued', 'sent', 'user.prompt']);
	});

	it('can be moved ahead of other queued prompts', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('first');
		await wait(rig, id, 'second', 'third');
		const last = (await wait(rig, id, 'fourth'))[0] ?? expect.fail();
		unwrap(await rig.queue.move(id, last, 0));
		expect(rig.queue.list(id).map(({ text }) => text)).toEqual(['fourth', 'second', 'third']);
		await rig.play(10_000);
		expect(rig.prompts(id)).toEqual(['first', 'fourth', 'second', 'third']);
	});

	it('is sent into the current run on request', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		const [other, chosen] = await wait(rig, id, 'later', 'this first');
		if (!other || !chosen) throw new Error('they were sent');
		unwrap(await rig.driven.sendNow(id, chosen));
		expect(rig.queue.list(id).map(({ text }) => text)).toEqual(['later']);
		await rig.play(60_000);
		expect(journey(rig.stored(id), chosen)).toEqual(['queued', 'steered', 'user.prompt', 'run.start', 'run.end']);
	});

	it('stays queued if the conversation was opened elsewhere, and is sent when the session is resumed', async () => {
		let others: number[] = [];
		await using rig = await openDrivenRig({ openIn: async () => others });
		const id = await rig.create('first');
		await wait(rig, id, 'second');
		others = [77];
		await rig.play();
		expect([rig.prompts(id), rig.queue.list(id).map(({ text }) => text)]).toEqual([['first'], ['second']]);
		const problems = rig.stored(id).filter((event) => event.kind === 'runtime.error');
		expect(problems.map(({ data }) => data)).toEqual([
			{
				code: 'conflict',
				message: expect.stringMatching(/^Queued prompts were not sent\. This conversation is open in another .*process 77/),
			},
		]);
		expect((await rig.driven.resume(id)).ok).toBe(false);
		others = [];
		unwrap(await rig.driven.resume(id));
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second']);
	});

	it('cannot be changed once cancelled, and is rejected when the queue is full', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		const [gone] = await wait(rig, id, 'gone');
		if (!gone) throw new Error('it was sent');
		unwrap(await rig.queue.cancel(id, gone));
		for (const late of [rig.queue.cancel(id, gone), rig.queue.edit(id, gone, 'x'), rig.queue.move(id, gone, 0)])
			expect(await late).toMatchObject({ ok: false, error: { code: 'not_found' } });
		for (let count = 0; count < 50; count += 1) unwrap(await rig.driven.message(id, `${count}`));
		expect(await rig.driven.message(id, 'one more')).toMatchObject({ ok: false, error: { code: 'conflict' } });
		expect(rig.queue.list(id)).toHaveLength(50);
	});

	it('stays queued across a restart, and is sent first when the session is resumed', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const id = await killed.create('explain it');
		await wait(killed, id, 'second');
		await using rig = await openDrivenRig({ store });
		expect(rig.queue.all()).toMatchObject([{ sessionId: id, prompts: [{ text: 'second' }] }]);
		expect(rig.agents).toEqual([]);
		unwrap(await rig.driven.message(id, 'third'));
		await rig.play(10_000);
		expect(rig.prompts(id)).toEqual(['explain it', 'second', 'third']);
		await killed[Symbol.asyncDispose]();
	});

	it('is queued again after a restart if its agent never received it, and is sent once', async () => {
		const store = createMemoryStore();
		const deaf = await openDrivenRig({ store, agent: { turns: () => [] } });
		const id = await deaf.create();
		const [agent] = deaf.agents;
		if (!agent) throw new Error('nothing was started');
		// As if the runner were killed after it recorded the prompt and before it sent it.
		agent.connection.sendPrompt = async () => {};
		unwrap(await deaf.driven.message(id, 'lost on the way'));
		await using rig = await openDrivenRig({ store });
		// No client can be connected before a runner is up.
		expect(rig.queueUpdate).toEqual([]);
		expect(rig.queue.list(id)).toMatchObject([{ text: 'lost on the way' }]);
		unwrap(await rig.driven.resume(id));
		await rig.play();
		expect(rig.prompts(id)).toEqual(['lost on the way']);
		await deaf[Symbol.asyncDispose]();
	});

	it('is not sent again after a restart if it contained a secret, which is not recorded', async () => {
		const store = createMemoryStore();
		const killed = await openDrivenRig({ store });
		const id = await killed.create('explain it');
		const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
		await wait(killed, id, `use ${token}`);
		expect(JSON.stringify(killed.stored(id))).not.toContain(token);
		await using rig = await openDrivenRig({ store });
		expect(rig.queue.all()).toEqual([]);
		expect(rig.stored(id).at(-1)).toMatchObject({
			kind: 'prompt.update',
			data: { state: 'cancelled', reason: expect.stringContaining('send it again') },
		});
		await killed[Symbol.asyncDispose]();
	});

	it('is sent with its secret unredacted while its runner is alive', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('first');
		const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
		const sent: string[] = [];
		const [agent] = rig.agents;
		if (!agent) throw new Error('nothing was started');
		agent.connection.followUp = async ({ text }) => void sent.push(text);
		await wait(rig, id, `use ${token}`);
		// More sessions than are kept in memory.
		for (let others = 0; others < 101; others += 1) await rig.create();
		await rig.play();
		expect(sent).toEqual([`use ${token}`]);
	});
});

describe('prompt that cannot be recorded', () => {
	it('stays queued and is not sent, so that the next runner sends it once', async () => {
		const disk = breakableStore(createMemoryStore());
		const killed = await openDrivenRig({ store: disk.store });
		const id = await killed.create('first');
		await wait(killed, id, 'second');
		disk.break();
		await killed.play();
		expect(given(killed)).toEqual(['first']);
		expect(killed.queue.list(id)).toMatchObject([{ text: 'second' }]);
		expect(killed.reported.findLast(({ kind }) => kind === 'prompt.update')).toMatchObject({
			data: { state: 'returned', reason: 'it could not be recorded: The disk is full: free some space.' },
		});
		disk.repair();
		await using rig = await openDrivenRig({ store: disk.store });
		unwrap(await rig.driven.resume(id));
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second']);
		await killed[Symbol.asyncDispose]();
	});

	it('is sent automatically once the disk works again', async () => {
		const disk = breakableStore(createMemoryStore());
		await using rig = await openDrivenRig({ store: disk.store });
		const id = await rig.create('first');
		const [second] = await wait(rig, id, 'second');
		disk.break();
		await rig.play();
		disk.repair();
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second']);
		expect(journey(rig.stored(id), second ?? '')).toEqual([
			'queued',
			'sent',
			'returned',
			'sent',
			'user.prompt',
			'run.start',
			'run.end',
		]);
	});

	it('is rejected with the reason when sent now, and is sent first later', async () => {
		const disk = breakableStore(createMemoryStore());
		await using rig = await openDrivenRig({ store: disk.store });
		const id = await rig.create('explain it');
		const [, chosen] = await wait(rig, id, 'later', 'this first');
		if (!chosen) throw new Error('it was sent');
		disk.break();
		expect(await rig.driven.sendNow(id, chosen)).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
		expect(given(rig)).toEqual(['explain it']);
		expect(rig.queue.list(id).map(({ text }) => text)).toEqual(['this first', 'later']);
		disk.repair();
		await rig.play(60_000);
		expect(rig.prompts(id)).toEqual(['explain it', 'this first', 'later']);
	});

	it('is cancelled if its author received an error', async () => {
		const disk = breakableStore(createMemoryStore());
		await using rig = await openDrivenRig({ store: disk.store });
		const id = await rig.create();
		disk.break();
		expect(await rig.driven.message(id, 'refused')).toMatchObject({ ok: false, error: { code: 'store_unavailable' } });
		disk.repair();
		unwrap(await rig.driven.message(id, 'taken'));
		await rig.play();
		expect(unwrap(rig.engine.session(id)).prompts()).toEqual({ waiting: [], sent: [] });
		expect(rig.prompts(id)).toEqual(['taken']);
	});
});

/** The prompts that agents took, including unsaved ones. */
function given({ reported }: DrivenRig): string[] {
	return reported.flatMap((event) => (event.kind === 'user.prompt' ? [event.data.prompt] : []));
}

/** Queues prompts and returns their ids. */
async function wait(rig: DrivenRig, id: SessionId, ...texts: string[]) {
	const taken = [];
	for (const text of texts) taken.push(unwrap(await rig.driven.message(id, text)).queued?.id);
	return taken.flatMap((prompt) => prompt ?? []);
}

/** The states of a prompt, in order. */
function journey(events: readonly FeedEvent[], promptId: string): string[] {
	const run = events.find((event) => event.kind === 'run.start' && event.data.trigger.prompt_id === promptId)?.run_id;
	const states = events.flatMap((event) =>
		event.kind === 'prompt.update' && event.data.prompt_id === promptId ? [event.data.state] : [],
	);
	const arrived = events.some((event) => event.kind === 'user.prompt' && event.data.prompt_id === promptId);
	const answered = events.flatMap(({ kind, run_id }) => (run_id === run && /^run\./.test(kind) ? [kind] : []));
	return [...states, ...(arrived ? ['user.prompt'] : []), ...answered];
}
