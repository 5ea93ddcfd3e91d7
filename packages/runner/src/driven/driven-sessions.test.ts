import type { AskRow } from '@roost/protocol/ask';
import { projectId, sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { type DrivenRig, openDrivenRig } from '@roost/testkit/rigs/runner/driven-rig';
import { createEngineRig } from '@roost/testkit/rigs/runner/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const BY = { name: 'owner', face: 'cli' };

function onlyAsk({ engine }: DrivenRig): AskRow {
	const [ask] = engine.asks.list({});
	if (!ask) throw new Error('nothing waits');
	return ask;
}

describe('driven session', () => {
	it('continues from a prompt through a permission request and its answer to the result and the message', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('run the tests');
		await rig.play();
		const ask = onlyAsk(rig);
		expect(ask).toMatchObject({ sessionId: id, tool: 'Bash', input: { command: 'npm test' } });
		expect(rig.driven.working()).toBe(1);
		unwrap(await rig.engine.answer(ask.id, { type: 'allow' }, BY));
		await rig.play();
		expect(rig.story(id)).toEqual([
			'session.start',
			'user.prompt',
			'agent.message',
			'permission.request',
			'permission.decision',
			'tool.post',
			'agent.message',
			'run.end',
		]);
		expect(rig.driven.working()).toBe(0);
		const [row] = unwrap(rig.store.sessions({ id }));
		expect(row).toMatchObject({ agent: 'mock', driven: true, status: 'idle', title: 'run the tests' });
	});

	it('streams text while it is being written, without storing the pieces', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		await rig.play(400);
		const pieces = rig.reported.filter((event) => event.kind === 'message.display' && !event.data.final);
		expect(pieces.length).toBeGreaterThan(3);
		expect(rig.story(id)).toEqual(['session.start', 'user.prompt']);
	});

	it('accepts the answer to a question of its agent', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('which one?');
		await rig.play();
		const ask = onlyAsk(rig);
		expect(ask.kind).toBe('question');
		const question = 'What shall the check answer while the database starts?';
		unwrap(await rig.engine.answer(ask.id, { type: 'answer', answers: { [question]: '503' } }, BY));
		await rig.play();
		expect(rig.stored(id).find(({ kind }) => kind === 'tool.post')?.data).toMatchObject({
			tool_response: { answers: { [question]: '503' } },
		});
		expect(rig.story(id).at(-1)).toBe('run.end');
	});

	it('denies a call that is not approved before the timeout', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('run the tests');
		await rig.play(3_700_000);
		expect(rig.story(id)).not.toContain('tool.post');
		expect(rig.stored(id).find(({ kind }) => kind === 'permission.decision')).toMatchObject({
			data: { decision_type: 'deny', decided_by: 'timeout' },
		});
		expect(rig.story(id).at(-1)).toBe('run.end');
	});

	it('reports a failure of its agent', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('fail, please');
		await rig.play();
		expect(rig.stored(id).at(-1)).toMatchObject({ kind: 'run.end', data: { status: 'failed' } });
	});

	it('waits for its first prompt', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create();
		expect(rig.story(id)).toEqual(['session.start']);
		expect(unwrap(await rig.driven.message(id, 'read it'))).toMatchObject({ queued: null });
		await rig.play();
		expect(rig.prompts(id)).toEqual(['read it']);
	});

	it('is not moved to a terminal if its agent does not support one', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('read it');
		await rig.play();
		const before = rig.stored(id).length;
		const refused = { ok: false, error: { code: 'conflict', message: 'The scripted agent runs in no terminal.' } };
		expect(await rig.controls.switchMode(id, 'pty')).toMatchObject(refused);
		expect(rig.stored(id)).toHaveLength(before);
		expect(unwrap(await rig.driven.message(id, 'and now'))).toMatchObject({ queued: null });
		expect(await rig.driven.create({ projectId: rig.project, agent: 'mock', mode: 'pty' })).toMatchObject(refused);
		expect(unwrap(rig.store.sessions({}))).toHaveLength(1);
	});

	it('is not started if its agent is not usable on this machine', async () => {
		await using rig = await openDrivenRig({ whyNotHere: async (agent) => `${agent} is too old.` });
		expect(await rig.driven.create({ projectId: rig.project, agent: 'mock' })).toMatchObject({
			ok: false,
			error: { code: 'cannot_start', message: 'mock is too old.' },
		});
		expect(rig.agents).toEqual([]);
	});

	it('is not started for an unknown agent or a missing folder', async () => {
		await using rig = await openDrivenRig();
		const projectHere = projectId.parse(process.cwd());
		expect(await rig.driven.create({ projectId: projectHere, agent: 'claude' })).toMatchObject({
			ok: false,
			error: { code: 'bad_request', message: 'This runner cannot drive "claude": choose mock.' },
		});
		expect(await rig.driven.create({ projectId: projectId.parse('/not/there'), agent: 'mock' })).toMatchObject({
			ok: false,
			error: { code: 'bad_request' },
		});
	});
});

describe('prompts sent while the agent is busy', () => {
	it('are queued and sent in order, one at a time', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('first');
		const second = unwrap(await rig.driven.message(id, 'second')).queued;
		unwrap(await rig.driven.message(id, 'third'));
		expect(second).toMatchObject({ text: 'second' });
		expect(rig.prompts(id)).toEqual(['first']);
		await rig.play(700);
		expect(rig.prompts(id)).toEqual(['first', 'second']);
		expect(rig.queue.list(id)).toMatchObject([{ text: 'third' }]);
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second', 'third']);
		expect(rig.queueUpdate.map(({ prompts }) => prompts.map(({ text }) => text))).toEqual([
			['second'],
			['second', 'third'],
			['third'],
			[],
		]);
		expect(rig.stored(id).filter(({ kind }) => kind === 'run.end')).toHaveLength(3);
	});

	it('are queued even before the agent reports its start', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create();
		const taken = await Promise.all(['first', 'second'].map((text) => rig.driven.message(id, text)));
		expect(taken).toMatchObject([{ value: { queued: null } }, { value: { queued: { text: 'second' } } }]);
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'second']);
	});

	it('are sent as last edited, and not at all once cancelled', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('first');
		const second = unwrap(await rig.driven.message(id, 'second')).queued;
		const third = unwrap(await rig.driven.message(id, 'third')).queued;
		if (!second || !third) throw new Error('they were sent');
		unwrap(await rig.queue.cancel(id, second.id));
		unwrap(await rig.queue.edit(id, third.id, 'last'));
		await rig.play();
		expect(rig.prompts(id)).toEqual(['first', 'last']);
	});

	it('are sent after an interrupt, which ends only one run', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('explain it');
		unwrap(await rig.driven.message(id, 'read it'));
		await rig.play(400);
		unwrap(await rig.driven.interrupt(id));
		await rig.play();
		const ends = rig.stored(id).flatMap((event) => (event.kind === 'run.end' ? [event.data.status] : []));
		expect(ends).toEqual(['aborted', 'completed']);
		expect(rig.prompts(id)).toEqual(['explain it', 'read it']);
	});
});

describe('change of model or permission mode', () => {
	it('applies from now on, also after a restart', async () => {
		const store = createMemoryStore();
		const first = await openDrivenRig({ store });
		const id = await first.create('read it');
		await first.play();
		unwrap(await first.controls.adjust(id, { model: 'other', permissionMode: 'plan' }));
		unwrap(await first.driven.message(id, 'and now?'));
		await first.play();
		expect(first.stored(id).filter(({ kind }) => kind === 'model.switch.post')).toMatchObject([{ data: { to_model: 'other' } }]);
		expect(first.stored(id).findLast(({ kind }) => kind === 'user.prompt')).toMatchObject({ data: { permission_mode: 'plan' } });
		await using rig = await openDrivenRig({ store });
		unwrap(await rig.driven.resume(id));
		expect(rig.requests).toMatchObject([{ model: 'other', permissionMode: 'plan' }]);
		await first[Symbol.asyncDispose]();
	});

	it('is rejected if its agent does not support it, and nothing changes', async () => {
		await using rig = await openDrivenRig({ refuse: ({ permissionMode }) => (permissionMode ? 'There is no such mode.' : null) });
		const id = await rig.create();
		const before = rig.stored(id);
		expect(await rig.controls.adjust(id, { permissionMode: 'wild' })).toMatchObject({
			ok: false,
			error: { code: 'bad_request', message: 'There is no such mode.' },
		});
		expect(rig.stored(id)).toEqual(before);
	});
});

describe('interrupt', () => {
	it('cancels the pending requests of the agent', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create('run the tests');
		await rig.play();
		const ask = onlyAsk(rig);
		unwrap(await rig.driven.interrupt(id));
		expect(rig.engine.asks.find(ask.id)).toMatchObject({ state: 'cancelled' });
		expect(rig.stored(id).at(-1)).toMatchObject({ kind: 'run.end', data: { status: 'aborted', reason: 'it was interrupted' } });
		expect(unwrap(rig.store.sessions({ id }))[0]).toMatchObject({ status: 'idle', lastRun: 'aborted' });
	});

	it('fails if there is nothing to interrupt', async () => {
		await using rig = await openDrivenRig();
		const id = await rig.create();
		expect(await rig.driven.interrupt(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
	});
});

describe('fork', () => {
	it('is a new session with a separate conversation, and does not change the original', async () => {
		await using rig = await openDrivenRig();
		const parent = await rig.create('first');
		await rig.play();
		const before = rig.stored(parent);
		const { sessionId: child } = unwrap(await rig.controls.fork(parent));
		unwrap(await rig.driven.message(child, 'another way'));
		await rig.play();
		expect(child).not.toBe(parent);
		expect(rig.prompts(child)).toEqual(['another way']);
		expect(rig.stored(parent)).toEqual(before);
		const [row] = unwrap(rig.store.sessions({ id: child }));
		const [parentRow] = unwrap(rig.store.sessions({ id: parent }));
		expect(row).toMatchObject({ parentId: parent, nativeIds: [{ reason: 'fork' }] });
		expect(row?.nativeIds[0]?.id).not.toBe(parentRow?.nativeIds[0]?.id);
	});
});

describe('observed session', () => {
	it('rejects prompts with the reason', async () => {
		const store = createMemoryStore();
		await using observed = createEngineRig({ store });
		observed.runtime.emit({ hookName: 'SessionStart', payload: { source: 'startup' } });
		await observed.engine.settled();
		await using rig = await openDrivenRig({ store });
		const why = 'This session is only observed: write to its agent in the terminal where it runs.';
		const [row] = unwrap(store.sessions({ id: observed.sessionId }));
		expect(row && rig.driven.describe(row)).toEqual({ takesPrompts: false, why });
		for (const refused of [
			await rig.driven.message(observed.sessionId, 'hello'),
			await rig.driven.interrupt(observed.sessionId),
			await rig.driven.resume(observed.sessionId),
			await rig.controls.fork(observed.sessionId),
			await rig.driven.end(observed.sessionId),
		]) {
			expect(refused).toMatchObject({ ok: false, error: { code: 'conflict', message: why } });
		}
	});

	it('rejects prompts after its end with another reason', async () => {
		const store = createMemoryStore();
		await using observed = createEngineRig({ store });
		observed.runtime.emit({ hookName: 'SessionStart', payload: { source: 'startup' } });
		observed.runtime.emit({ hookName: 'SessionEnd', payload: { reason: 'other' } });
		await observed.engine.settled();
		await using rig = await openDrivenRig({ store });
		const why = 'This session was only observed and has ended. Resume it in a terminal, as it was started.';
		const [row] = unwrap(store.sessions({ id: observed.sessionId }));
		expect(row && rig.driven.describe(row)).toEqual({ takesPrompts: false, why });
	});

	it('is distinguished from an unknown session, which is not found', async () => {
		await using rig = await openDrivenRig();
		expect(await rig.driven.message(sessionId.parse('nobody'), 'hello')).toMatchObject({
			ok: false,
			error: { code: 'not_found' },
		});
	});
});
