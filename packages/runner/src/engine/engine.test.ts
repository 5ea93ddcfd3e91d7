import { type AskId, ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { breakableStore } from '@roost/testkit/rigs/record/faulty-store';
import { createEngineRig, type EngineRig, readStored, TEST_PATH, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const LEA = { name: 'lea', face: 'test' };

describe('engine', () => {
	it('keeps the order during a burst', async () => {
		await using rig = createEngineRig();
		for (let n = 0; n < 500; n += 1) rig.runtime.emit({ hookName: 'Notification', payload: { message: `n${n}` } });
		await rig.engine.settled();
		const messages = rig.stored().flatMap(({ event }) => (event.kind === 'notification' ? [event.data.message] : []));
		expect(messages).toEqual(Array.from({ length: 500 }, (_, n) => `n${n}`));
		expect(rig.stored().map((line) => line.offset)).toEqual(rig.stored().map((_, index) => index + 1));
	});

	it('combines everything that arrives during a write into one commit', async () => {
		const { store, appends } = counting(createMemoryStore());
		await using rig = createEngineRig({ store });
		for (let n = 0; n < 100; n += 1) rig.runtime.emit({ hookName: 'Notification', payload: { message: `n${n}` } });
		await rig.engine.settled();
		expect(appends()).toBeLessThanOrEqual(3);
	});

	it('continues from the log with the same state as live', async () => {
		const store = createMemoryStore();
		await using live = createEngineRig({ store });
		await using other = createEngineRig({ sessionId: 's1' });
		work(live);
		work(other);
		await Promise.all([live.engine.settled(), other.engine.settled()]);
		// A second engine resumes from the same log, while the first one continues.
		await using resumed = createEngineRig({ store, sessionId: 's1' });
		for (const rig of [resumed, other])
			rig.runtime.emit({
				hookName: 'PostToolUse',
				toolName: 'Read',
				toolUseId: 't2',
				payload: { tool_name: 'Read', tool_input: {}, tool_use_id: 't2', tool_response: 1 },
			});
		await Promise.all([resumed.engine.settled(), other.engine.settled()]);
		expect(shape(resumed)).toEqual(shape(other));
	});

	it('records nothing when a session is only reopened', async () => {
		const store = createMemoryStore();
		await using before = createEngineRig({ store });
		work(before);
		await before.engine.settled();
		const stored = readStored(store, before.sessionId);
		await using after = createEngineRig({ store });
		after.engine.open({
			id: after.sessionId,
			runtime: after.runtime,
			project: { id: TEST_PROJECT, path: TEST_PATH },
			gate: 'observe',
		});
		await after.engine.settled();
		expect(readStored(store, before.sessionId)).toEqual(stored);
	});

	it('records no decision before the tool runs for a call that no rule covers', async () => {
		await using rig = createEngineRig();
		const event = rig.runtime.emit(preToolUse('t1', 'Bash', { command: 'ls' }));
		expect(rig.runtime.getDecision(event.id)).toMatchObject({ verdict: { type: 'none' }, source: 'rule' });
		await rig.engine.settled();
		expect(rig.kinds()).not.toContain('permission.decision');
	});

	it('accepts one answer per ask', async () => {
		await using rig = createEngineRig();
		const request = await ask(rig);
		const id = onlyAsk(rig);
		const answers = await Promise.all(
			Array.from({ length: 50 }, (_, n) =>
				rig.engine.answer(id, n % 2 ? { type: 'allow' } : { type: 'deny', message: 'no' }, LEA),
			),
		);
		expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
		expect(answers.filter((answer) => !answer.ok && answer.error.code === 'conflict')).toHaveLength(49);
		expect(rig.runtime.getDecisions().filter((sent) => sent.eventId === request.id)).toHaveLength(1);
		expect(rig.kinds().filter((kind) => kind === 'permission.decision')).toHaveLength(1);
	});

	it('writes the answer to disk before the agent receives it', async () => {
		const gate = Promise.withResolvers<void>();
		const inner = createMemoryStore();
		let holding = false;
		const store: Store = {
			...inner,
			async append(request) {
				if (holding) await gate.promise;
				return inner.append(request);
			},
		};
		await using rig = createEngineRig({ store });
		const request = await ask(rig);
		holding = true;
		const answered = rig.engine.answer(onlyAsk(rig), { type: 'allow' }, LEA);
		await new Promise(setImmediate);
		expect(rig.runtime.getDecision(request.id)).toBeUndefined();
		gate.resolve();
		expect(await answered).toMatchObject({ ok: true });
		expect(rig.runtime.getDecision(request.id)).toMatchObject({ verdict: { type: 'allow' }, principal: 'lea@test' });
	});

	it('closes an ask after its deadline and rejects the late answer', async () => {
		await using rig = createEngineRig({ askTimeoutMs: 1 });
		rig.runtime.emit(permissionRequest('Bash', { command: 'ls' }));
		await waitFor(() => rig.kinds().includes('permission.decision') || undefined, { what: 'the deadline' });
		expect(rig.stored().at(-1)?.event).toMatchObject({
			kind: 'permission.decision',
			data: { decision_type: 'no_opinion', decided_by: 'timeout' },
		});
		expect(await rig.engine.answer('s1.1' as AskId, { type: 'allow' }, LEA)).toMatchObject({
			ok: false,
			error: { code: 'conflict' },
		});
	});

	it('continues after unknown and malformed input', async () => {
		await using rig = createEngineRig();
		rig.runtime.emit({ hookName: 'NeverSeenBefore', payload: { deep: { odd: [1, null, 'x'] } } });
		rig.runtime.emit({ hookName: 'PreToolUse', payload: 'not an object' as never });
		rig.runtime.emit({ hookName: 'Notification', payload: { message: 'still here' } });
		await rig.engine.settled();
		expect(rig.stored().find(({ event }) => event.kind === 'unknown.hook')?.event.data).toMatchObject({
			payload: { deep: { odd: [1, null, 'x'] } },
		});
		expect(rig.kinds()).toContain('notification');
	});

	it.each([
		['observe', 'none'],
		['enforce', 'deny'],
	] as const)('recovers from an internal error, records it, and replies to the agent (%s)', async (gate, type) => {
		const broken = new Proxy([rule('allow')], {
			get() {
				throw new Error('broken rules');
			},
		});
		await using rig = createEngineRig({ gate, rules: broken });
		const event = rig.runtime.emit(permissionRequest('Bash', { command: 'ls' }));
		rig.runtime.emit({ hookName: 'Notification', payload: { message: 'still here' } });
		await rig.engine.settled();
		expect(rig.runtime.getDecision(event.id)).toMatchObject({ verdict: { type }, source: 'system' });
		expect(rig.kinds()).toEqual(expect.arrayContaining(['runtime.error', 'notification']));
	});

	it('records a gap if reports arrive faster than they can be handled', async () => {
		const gate = Promise.withResolvers<void>();
		const inner = createMemoryStore();
		const slow: Store = {
			...inner,
			async append(request) {
				await gate.promise;
				return inner.append(request);
			},
		};
		await using rig = createEngineRig({ store: slow });
		for (let n = 0; n < 10_005; n += 1) rig.runtime.emit({ hookName: 'Notification', payload: { message: `n${n}` } });
		gate.resolve();
		await rig.engine.settled();
		await rig.engine.settled();
		expect(rig.stored().at(-1)?.event).toMatchObject({
			kind: 'runtime.status',
			data: { status: 'gap', reason: expect.stringContaining('4 events') },
		});
	});

	it('closes an ask when the agent reports its call as done', async () => {
		await using rig = createEngineRig();
		rig.runtime.emit(preToolUse('t1', 'Bash', { command: 'ls' }));
		const request = await ask(rig);
		rig.runtime.emit({
			hookName: 'PostToolUse',
			toolName: 'Bash',
			toolUseId: 't1',
			payload: { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1', tool_response: '' },
		});
		await rig.engine.settled();
		expect(rig.engine.asks.list({})).toEqual([]);
		expect(rig.stored().at(-1)?.event).toMatchObject({
			kind: 'permission.decision',
			data: { decision_type: 'no_opinion', decided_by: 'terminal' },
		});
		expect(rig.runtime.getDecision(request.id)).toMatchObject({ verdict: { type: 'none' } });
	});

	it('redacts secrets before anything is stored or published', async () => {
		const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
		await using rig = createEngineRig();
		rig.runtime.emit(preToolUse('t1', 'Bash', { command: `curl -H "Authorization: Bearer ${token}" https://example.com` }));
		await rig.engine.settled();
		expect(JSON.stringify(rig.stored())).not.toContain(token);
		expect(JSON.stringify(rig.reported)).not.toContain(token);
		expect(JSON.stringify(rig.stored())).toContain('[redacted:');
	});
});

describe('unavailable database', () => {
	it('does not stop the agent, is reported, and loses no event once it works again', async () => {
		const broken = breakableStore(createMemoryStore());
		await using rig = createEngineRig({ store: broken.store });
		work(rig);
		await rig.engine.settled();
		broken.break();
		const event = rig.runtime.emit(preToolUse('t9', 'Bash', { command: 'ls' }));
		expect(rig.runtime.getDecision(event.id)).toMatchObject({ verdict: { type: 'none' } });
		await rig.engine.settled();
		expect(rig.reported.at(-1)).toMatchObject({ kind: 'runtime.status', data: { status: 'degraded' } });
		broken.repair();
		await rig.engine.settled();
		await rig.engine.settled();
		expect(rig.stored().map((line) => line.event.event_id)).toEqual(rig.reported.map((reported) => reported.event_id));
		expect(rig.stored().at(-1)?.event).toMatchObject({ kind: 'runtime.status', data: { status: 'connected' } });
	});

	it('is retried automatically', async () => {
		const broken = breakableStore(createMemoryStore());
		await using rig = createEngineRig({ store: broken.store });
		broken.break();
		rig.runtime.emit({ hookName: 'Notification', payload: { message: 'kept' } });
		await waitFor(() => rig.reported.find((event) => event.kind === 'runtime.status'), { what: 'the failure' });
		broken.repair();
		await waitFor(() => rig.kinds().includes('notification') || undefined, {
			what: 'the kept event on disk',
		});
	});

	it.each([
		['observe', 'none'],
		['enforce', 'deny'],
	] as const)('prevents an allow that cannot be recorded (%s)', async (gate, type) => {
		const broken = breakableStore(createMemoryStore());
		await using rig = createEngineRig({ store: broken.store, gate, rules: [rule('allow')] });
		await rig.engine.settled();
		broken.break();
		const event = rig.runtime.emit(permissionRequest('Bash', { command: 'ls' }));
		await rig.engine.settled();
		expect(rig.runtime.getDecision(event.id)).toMatchObject({ verdict: { type }, source: 'system' });
		broken.repair();
		await rig.engine.settled();
		await rig.engine.settled();
		const [decided, ...after] = rig.kinds().slice(rig.kinds().indexOf('permission.decision'));
		expect([decided, after]).toEqual(['permission.decision', expect.arrayContaining(['runtime.error'])]);
		expect(JSON.stringify(rig.stored())).toContain('the agent did not get it');
	});

	it('does not prevent a deny by a rule', async () => {
		const broken = breakableStore(createMemoryStore());
		await using rig = createEngineRig({ store: broken.store, rules: [rule('deny')] });
		broken.break();
		const event = rig.runtime.emit(preToolUse('t1', 'Bash', { command: 'ls' }));
		await rig.engine.settled();
		expect(rig.runtime.getDecision(event.id)).toMatchObject({ verdict: { type: 'deny' } });
	});
});

function work(rig: EngineRig): void {
	rig.runtime.emit({ hookName: 'SessionStart', payload: { source: 'startup' } });
	rig.runtime.emit({ hookName: 'UserPromptSubmit', payload: { prompt: 'go' } });
	rig.runtime.emit(preToolUse('t1', 'Read', {}));
	rig.runtime.emit({
		hookName: 'PostToolUse',
		toolName: 'Read',
		toolUseId: 't1',
		payload: { tool_name: 'Read', tool_input: {}, tool_use_id: 't1', tool_response: 1 },
	});
	rig.runtime.emit(preToolUse('t2', 'Read', {}));
}

function preToolUse(id: string, tool: string, input: Record<string, unknown>) {
	return {
		hookName: 'PreToolUse',
		toolName: tool,
		toolUseId: id,
		payload: { tool_name: tool, tool_input: input, tool_use_id: id },
	};
}

function permissionRequest(tool: string, input: Record<string, unknown>) {
	return { hookName: 'PermissionRequest', toolName: tool, payload: { tool_name: tool, tool_input: input } };
}

async function ask(rig: EngineRig) {
	const request = rig.runtime.emit(permissionRequest('Bash', { command: 'ls' }));
	await waitFor(() => rig.engine.asks.list({})[0], { what: 'the ask' });
	await waitFor(() => rig.kinds().includes('permission.request') || undefined, { what: 'the ask on disk' });
	return request;
}

function onlyAsk(rig: EngineRig): AskId {
	const [open] = rig.engine.asks.list({});
	if (!open) throw new Error('no ask is open');
	return open.id;
}

/** The events without times and hook request ids. */
function shape(rig: EngineRig) {
	return rig.stored().map(({ offset, event }) => [offset, event.event_id, event.kind, event.cause?.parent_event_id]);
}

function rule(decision: Rule['decision']): Rule {
	return { id: ruleId.parse('r1'), tool: 'Bash', decision, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 0 };
}

function counting(inner: Store) {
	let count = 0;
	const store: Store = {
		...inner,
		append(request) {
			count += 1;
			return inner.append(request);
		},
	};
	return { store, appends: () => count };
}
