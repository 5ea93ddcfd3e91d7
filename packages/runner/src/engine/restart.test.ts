// Asks that were open when their runner was killed, after a restart.

import { ruleId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import type { Rule } from '@roost/protocol/rule';
import { createMemoryStore } from '@roost/store/memory-store';
import type { Store } from '@roost/store/store';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createEngineRig, type EngineRig, type EngineRigOptions } from '@roost/testkit/rigs/runner/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const LEA = { name: 'lea', face: 'test' };
const COMEBACK_MS = 5_000;
const CALL = {
	id: 'call-1',
	hookName: 'PermissionRequest',
	toolName: 'Bash',
	payload: { tool_name: 'Bash', tool_input: { command: 'ls' } },
};
const PRE = { ...CALL, hookName: 'PreToolUse', toolUseId: 't1', payload: { ...CALL.payload, tool_use_id: 't1' } };

describe('ask whose runner was killed', () => {
	it('waits briefly for its agent, and is then cancelled with the reason', async () => {
		await using world = await killedWhileAsking();
		const next = world.restart();
		expect(next.engine.asks.list({})).toMatchObject([{ id: 's1.1', state: 'pending' }]);
		world.timers.advance(COMEBACK_MS - 1);
		await next.engine.settled();
		expect(next.engine.asks.list({})).toHaveLength(1);
		world.timers.advance(1);
		await next.engine.settled();
		expect(next.engine.asks.list({})).toEqual([]);
		expect(unwrap(world.store.asks({}))).toMatchObject([{ id: 's1.1', state: 'cancelled', decidedBy: 'system' }]);
		expect(decisions(next)).toMatchObject([{ decision_type: 'no_opinion', reason: 'the runner ended while this waited' }]);
	});

	it('is cancelled as a denial if the returning launch is in enforce mode', async () => {
		await using world = await killedWhileAsking();
		const next = world.restart({ gate: 'enforce' });
		next.runtime.emit({ hookName: 'Notification', payload: { message: 'back' } });
		world.timers.advance(COMEBACK_MS);
		await next.engine.settled();
		expect(decisions(next)).toMatchObject([{ decision_type: 'deny', decided_by: 'system' }]);
		expect(unwrap(world.store.asks({}))).toMatchObject([{ state: 'cancelled' }]);
	});

	it('is kept for an agent that repeats its request, and nothing is recorded twice', async () => {
		await using world = await killedWhileAsking();
		const before = unwrap(world.store.asks({}));
		const next = world.restart();
		next.runtime.emit(CALL);
		await next.engine.settled();
		world.timers.advance(COMEBACK_MS);
		await next.engine.settled();
		expect(unwrap(world.store.asks({}))).toEqual(before);
		expect(next.kinds().filter((kind) => kind === 'permission.request')).toHaveLength(1);
		expect(unwrapVoid(await answerIt(next, 'allow'))).toBe(true);
		expect(next.runtime.getDecision(CALL.id)).toMatchObject({ verdict: { type: 'allow' }, source: 'user' });
		expect(decisions(next)).toHaveLength(1);
	});

	it('keeps its remaining time', async () => {
		await using world = await killedWhileAsking({ askTimeoutMs: 5_000 });
		const next = world.restart({ askTimeoutMs: 60_000 });
		expect(decisions(next)).toEqual([]);
		next.runtime.emit(CALL);
		await waitFor(() => (decisions(next).length > 0 ? true : undefined), { what: 'its end' });
		expect(decisions(next)).toMatchObject([{ decision_type: 'no_opinion', decided_by: 'timeout' }]);
	});

	it.each(['allow', 'deny'] as const)(
		'can be answered (%s) while its agent is away, and the answer is delivered when it returns',
		async (type) => {
			await using world = await killedWhileAsking();
			const next = world.restart();
			expect(unwrapVoid(await answerIt(next, type))).toBe(true);
			expect(next.runtime.getDecisions()).toEqual([]);
			world.timers.advance(COMEBACK_MS);
			next.runtime.emit(CALL);
			await next.engine.settled();
			expect(next.runtime.getDecision(CALL.id)).toMatchObject({ verdict: { type }, source: 'user' });
			expect(decisions(next)).toHaveLength(1);
		},
	);

	it('is cancelled even if its session has no launch left', async () => {
		await using world = await killedWhileAsking();
		const next = world.restart({ sessionId: 'other' });
		world.timers.advance(COMEBACK_MS);
		await next.engine.settled();
		expect(unwrap(world.store.asks({}))).toMatchObject([{ state: 'cancelled' }]);
	});

	it('stays open if the next runner stops before the wait is over', async () => {
		await using world = await killedWhileAsking();
		const next = world.restart();
		await next[Symbol.asyncDispose]();
		world.timers.advance(COMEBACK_MS);
		await next.engine.settled();
		expect(unwrap(world.store.asks({}))).toMatchObject([{ state: 'pending' }]);
	});
});

describe('request whose reply was lost with the runner', () => {
	it.each([
		['allow', { type: 'allow', updatedInput: { command: 'ls -a' } }, { type: 'allow', updatedInput: { command: 'ls -a' } }],
		['denial', { type: 'deny', message: 'not here', interrupt: true }, { type: 'deny', message: 'not here', interrupt: true }],
	] as const)('gets the recorded %s', async (_name, verdict, expected) => {
		await using world = await killedWhileAsking();
		await world.first.engine.answer(onlyAsk(world.first), verdict, LEA);
		const stored = world.first.stored();
		const next = world.restart({ rules: [rule('deny')] });
		next.runtime.emit(CALL);
		await next.engine.settled();
		expect(next.runtime.getDecision(CALL.id)).toMatchObject({ verdict: expected, source: 'user', principal: 'lea@test' });
		expect(next.stored()).toEqual(stored);
	});

	it.each(['observe', 'enforce'] as const)('does not get an input in which a secret was redacted (%s)', async (gate) => {
		await using world = await killedWhileAsking();
		const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
		await world.first.engine.answer(onlyAsk(world.first), { type: 'allow', updatedInput: { command: `use ${secret}` } }, LEA);
		const next = world.restart({ gate });
		next.runtime.emit(CALL);
		await next.engine.settled();
		expect(next.runtime.getDecision(CALL.id)).toMatchObject({ verdict: { type: gate === 'enforce' ? 'deny' : 'none' } });
	});

	it.each([
		['PermissionRequest', CALL, rule('allow'), { verdict: { type: 'allow' }, ruleId: 'r1' }],
		['PreToolUse', PRE, rule('deny'), { verdict: { type: 'deny' }, ruleId: 'r1' }],
	] as const)('gets the decision of a rule at %s, even if the rule was removed', async (_name, request, decided, expected) => {
		await using world = createWorld({ rules: [decided] });
		world.first.runtime.emit(request);
		await world.first.engine.settled();
		const stored = world.first.stored();
		const next = world.restart();
		next.runtime.emit(request);
		await next.engine.settled();
		expect(next.runtime.getDecision(CALL.id)).toMatchObject({ source: 'rule', ...expected });
		expect(next.stored()).toEqual(stored);
	});

	it.each([
		['observe', undefined, 'none'],
		['enforce', rule('ask'), 'deny'],
	] as const)('is announced only once if there was nothing to decide (%s)', async (gate, added, type) => {
		await using world = createWorld({});
		world.first.runtime.emit(PRE);
		await world.first.engine.settled();
		const next = world.restart({ gate, rules: added ? [added] : [] });
		next.runtime.emit(PRE);
		await next.engine.settled();
		expect(next.runtime.getDecision(PRE.id)).toMatchObject({ verdict: { type } });
		expect(next.kinds().filter((kind) => kind === 'tool.pre')).toHaveLength(1);
		expect(next.engine.asks.list({})).toEqual([]);
	});
});

type World = AsyncDisposable & {
	store: Store;
	timers: ReturnType<typeof createManualTimers>;
	first: EngineRig;
	restart(options?: EngineRigOptions): EngineRig;
};

/** The first runner does not notice its end: its later writes are not stored. */
function createWorld(options: EngineRigOptions): World {
	const inner = createMemoryStore();
	const timers = createManualTimers();
	const rigs: EngineRig[] = [];
	let dead = false;
	const firstStore: Store = {
		...inner,
		append: (request) => (dead ? Promise.resolve(ok({ firstOffset: 1, firstSeqNo: 1, entries: [] })) : inner.append(request)),
	};
	const first = createEngineRig({ ...options, store: firstStore });
	rigs.push(first);
	return {
		store: inner,
		timers,
		first,
		restart(next = {}) {
			dead = true;
			const rig = createEngineRig({ ...next, store: inner, timers });
			rigs.push(rig);
			rig.engine.recover((problem) => expect.fail(problem));
			return rig;
		},
		async [Symbol.asyncDispose]() {
			for (const rig of rigs) await rig[Symbol.asyncDispose]();
		},
	};
}

async function killedWhileAsking(options: EngineRigOptions = {}): Promise<World> {
	const world = createWorld(options);
	world.first.runtime.emit(CALL);
	await waitFor(() => (world.first.kinds().includes('permission.request') ? true : undefined), {
		what: 'the ask on disk',
	});
	return world;
}

function answerIt(rig: EngineRig, type: 'allow' | 'deny') {
	return rig.engine.answer(onlyAsk(rig), type === 'allow' ? { type } : { type, message: 'no' }, LEA);
}

function onlyAsk(rig: EngineRig) {
	const [open] = rig.engine.asks.list({});
	if (!open) throw new Error('no ask is open');
	return open.id;
}

function decisions(rig: EngineRig) {
	return rig.stored().flatMap(({ event }) => (event.kind === 'permission.decision' ? [event.data] : []));
}

function unwrapVoid(result: Awaited<ReturnType<EngineRig['engine']['answer']>>): boolean {
	unwrap(result);
	return true;
}

function rule(decision: Rule['decision']): Rule {
	return { id: ruleId.parse('r1'), tool: 'Bash', decision, scope: 'user', scopeId: 'user', addedBy: 'test', createdAt: 0 };
}
