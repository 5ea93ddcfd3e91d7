import { type AskId, ruleId, runnerId, type SessionId, sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { createEngineRig, TEST_PROJECT } from '@roost/testkit/rigs/engine-rig';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRuleBook } from '../rules/rule-book.ts';
import { openRunnerStream } from '../runner-stream.ts';
import { createAskDesk } from './ask-desk.ts';

const LEA = { name: 'lea', face: 'cli' };
const SESSION = sessionId.parse('s1');

describe('the desk where asks are answered', () => {
	it('takes the first of 200 racing answers, and tells the others who won', async () => {
		await using world = openDesk();
		const row = await world.ask();
		const answers = await Promise.all(
			Array.from({ length: 200 }, (_, n) =>
				world.desk.approve(
					SESSION,
					{ askId: row.id, nonce: row.nonce, decision: n % 2 ? 'allow' : 'deny' },
					{ name: `p${n}`, face: 'cli' },
				),
			),
		);
		const winners = answers.filter((answer) => answer.ok);
		expect(winners).toHaveLength(1);
		expect(winners[0]).toMatchObject({ value: { state: 'denied', decidedBy: 'p0@cli', verdict: { type: 'deny' } } });
		for (const answer of answers) {
			if (!answer.ok) expect(answer.error).toMatchObject({ code: 'conflict', cause: { state: 'denied', decidedBy: 'p0@cli' } });
		}
		expect(world.rig.runtime.getDecisions()).toHaveLength(1);
	});

	it('keeps every ask as a row: opened with a nonce and a hash, closed with who and what', async () => {
		await using world = openDesk();
		const row = await world.ask();
		expect(row).toMatchObject({ state: 'pending', tool: 'Bash', inputHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(unwrap(world.rig.store.asks({ state: 'pending' }))).toEqual([row]);
		await world.desk.approve(
			SESSION,
			{ askId: row.id, nonce: row.nonce, decision: 'allow', modifiedInput: { command: 'ls -l' } },
			LEA,
		);
		expect(unwrap(world.rig.store.asks({ id: row.id }))).toMatchObject([
			{ state: 'allowed', decidedBy: 'lea@cli', verdict: { type: 'allow', updatedInput: { command: 'ls -l' } } },
		]);
	});

	it('refuses an answer that was made for another ask, session or input', async () => {
		await using world = openDesk();
		const row = await world.ask();
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow' } as const;
		expect(await world.desk.approve(SESSION, { ...body, nonce: 'other' }, LEA)).toMatchObject({ error: { code: 'bad_request' } });
		expect(await world.desk.approve('s2' as SessionId, body, LEA)).toMatchObject({ error: { code: 'not_found' } });
		expect(await world.desk.approve(SESSION, { ...body, askId: 's1.9' as AskId }, LEA)).toMatchObject({
			error: { code: 'not_found' },
		});
		expect(
			await world.desk.approve(SESSION, { ...body, modifiedInput: { command: 'echo [redacted:github:1234]' } }, LEA),
		).toMatchObject({
			error: { code: 'bad_request' },
		});
		expect(world.desk.list({})).toHaveLength(1);
	});

	it('makes a rule of an answer that is meant for always, and the next call is decided by it', async () => {
		await using world = openDesk();
		const row = await world.ask();
		const body = {
			askId: row.id,
			nonce: row.nonce,
			decision: 'allow',
			persist: true,
			scope: 'project',
			rule: { argsPattern: 'ls *' },
		} as const;
		expect(await world.desk.approve(SESSION, body, LEA)).toMatchObject({ ok: true });
		expect(world.rules.list()).toMatchObject([
			{ tool: 'Bash', argsPattern: 'ls *', decision: 'allow', scope: 'project', scopeId: TEST_PROJECT, addedBy: 'lea@cli' },
		]);
		const next = world.rig.runtime.emit(permission('ls -a'));
		await world.rig.engine.settled();
		expect(world.rig.runtime.getDecision(next.id)).toMatchObject({ source: 'rule', intent: { kind: 'permission_allow' } });
	});
});

describe('the rules', () => {
	it('are facts: added and removed in the runner’s own stream, and there again after a restart', async () => {
		const store = createMemoryStore();
		const first = book(store);
		const kept = unwrap(await first.add({ tool: 'Bash', decision: 'deny', scope: 'user', argsPattern: 'rm *' }, LEA));
		const gone = unwrap(await first.add({ tool: 'Write', decision: 'allow', scope: 'user' }, LEA));
		expect(await first.remove(gone.id, LEA)).toMatchObject({ ok: true });
		expect(await first.remove(gone.id, LEA)).toMatchObject({ error: { code: 'not_found' } });
		const second = book(store);
		expect(second.list()).toEqual([kept]);
		unwrap(await second.add({ tool: 'Edit', decision: 'ask', scope: 'user' }, LEA));
		const lines = unwrap(store.read({ afterSeqNo: 0, limit: 10 })).map((entry) => JSON.parse(entry.line).event);
		expect(lines.map((event) => event.kind)).toEqual(['rule.added', 'rule.added', 'rule.removed', 'rule.added']);
		expect(new Set(lines.map((event) => event.event_id)).size).toBe(4);
		expect(lines[2].data).toEqual({ rule_id: gone.id, removed_by: 'lea@cli' });
	});

	it('say which of them decides, before they count', () => {
		const rules = book(createMemoryStore());
		expect(rules.test({ tool: 'Bash', input: { command: 'ls' } })).toEqual({ decision: 'none' });
	});

	it('of a project or a session must say which', async () => {
		expect(await book(createMemoryStore()).add({ tool: 'Bash', decision: 'allow', scope: 'project' }, LEA)).toMatchObject({
			error: { code: 'bad_request' },
		});
	});
});

function openDesk() {
	const store = createMemoryStore();
	const rules = book(store);
	const rig = createEngineRig({ store, rules: () => rules.list() });
	const desk = createAskDesk({ engine: rig.engine, rules, projectOf: () => TEST_PROJECT, readFileBefore: async () => undefined });
	const ask = async () => {
		rig.runtime.emit(permission('ls'));
		return await waitFor(() => (rig.kinds().includes('permission.request') ? desk.list({})[0] : undefined), {
			what: 'the ask',
		});
	};
	return { rig, rules, desk, ask, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

function book(store: ReturnType<typeof createMemoryStore>) {
	let ids = 0;
	const stamp = Math.floor(performance.now() * 1000);
	const common = { store, runnerId: runnerId.parse('r'), now: () => 1 };
	const own = unwrap(openRunnerStream({ ...common, hash: () => '0'.repeat(64), tell: () => {} }));
	const newId = () => ruleId.parse(`rule-${stamp}-${++ids}`);
	return unwrap(openRuleBook({ ...common, builtinDenies: [], newId, own }));
}

function permission(command: string) {
	return { hookName: 'PermissionRequest', toolName: 'Bash', payload: { tool_name: 'Bash', tool_input: { command } } };
}
