import { toShownText } from '@roost/core/hub/shown-ask';
import { sha256 } from '@roost/machine/sha256';
import { type AskId, ruleId, runnerId, type SessionId, sessionId } from '@roost/protocol/ids';
import { createMemoryStore } from '@roost/store/memory-store';
import { createEngineRig, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRunnerStream } from '../record/runner-stream.ts';
import { createAskAnswers } from './ask-answers.ts';
import { openRuleBook } from './rule-book.ts';

const LEA = { name: 'lea', face: 'cli' };
const SESSION = sessionId.parse('s1');

describe('answers to asks', () => {
	it('are accepted once out of 200 racing ones, and the others learn who won', async () => {
		await using world = openRig();
		const row = await world.ask();
		const answers = await Promise.all(
			Array.from({ length: 200 }, (_, n) =>
				world.answers.approve(
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

	it('are stored with the ask, which has a nonce and an input hash', async () => {
		await using world = openRig();
		const row = await world.ask();
		expect(row).toMatchObject({ state: 'pending', tool: 'Bash', inputHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
		expect(unwrap(world.rig.store.asks({ state: 'pending' }))).toEqual([row]);
		await world.answers.approve(
			SESSION,
			{ askId: row.id, nonce: row.nonce, decision: 'allow', modifiedInput: { command: 'ls -l' } },
			LEA,
		);
		expect(unwrap(world.rig.store.asks({ id: row.id }))).toMatchObject([
			{ state: 'allowed', decidedBy: 'lea@cli', verdict: { type: 'allow', updatedInput: { command: 'ls -l' } } },
		]);
	});

	it('are denied if another input was shown, and say who showed it', async () => {
		await using world = openRig();
		const row = await world.ask();
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow' } as const;
		const other = sha256(toShownText({ tool: row.tool, input: { command: 'ls -l' } }));
		const byHub = { name: 'lea', face: 'hub:abcdefghjkmnpqrs' };
		expect(await world.answers.approve(SESSION, { ...body, shown: other }, LEA)).toMatchObject({
			error: { code: 'denied', message: expect.stringContaining('This client showed another input') },
		});
		expect(await world.answers.approve(SESSION, { ...body, shown: other }, byHub)).toMatchObject({
			error: { code: 'denied', message: expect.stringContaining('The hub showed another input') },
		});
		expect(world.answers.list({})).toEqual([row]);
		const shown = sha256(toShownText(row));
		expect(await world.answers.approve(SESSION, { ...body, shown }, LEA)).toMatchObject({ ok: true });
	});

	it('are rejected if they were made for another ask, session or input', async () => {
		await using world = openRig();
		const row = await world.ask();
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow' } as const;
		expect(await world.answers.approve(SESSION, { ...body, nonce: 'other' }, LEA)).toMatchObject({
			error: { code: 'bad_request' },
		});
		expect(await world.answers.approve('s2' as SessionId, body, LEA)).toMatchObject({ error: { code: 'not_found' } });
		expect(await world.answers.approve(SESSION, { ...body, askId: 's1.9' as AskId }, LEA)).toMatchObject({
			error: { code: 'not_found' },
		});
		expect(
			await world.answers.approve(SESSION, { ...body, modifiedInput: { command: 'echo [redacted:github:1234]' } }, LEA),
		).toMatchObject({
			error: { code: 'bad_request' },
		});
		expect(world.answers.list({})).toHaveLength(1);
	});

	it('that persist add a rule, which decides the next call', async () => {
		await using world = openRig();
		const row = await world.ask();
		const body = {
			askId: row.id,
			nonce: row.nonce,
			decision: 'allow',
			persist: true,
			scope: 'project',
			rule: { argsPattern: 'ls *' },
		} as const;
		expect(await world.answers.approve(SESSION, body, LEA)).toMatchObject({ ok: true });
		expect(world.rules.list()).toMatchObject([
			{ tool: 'Bash', argsPattern: 'ls *', decision: 'allow', scope: 'project', scopeId: TEST_PROJECT, addedBy: 'lea@cli' },
		]);
		const next = world.rig.runtime.emit(permission('ls -a'));
		await world.rig.engine.settled();
		expect(world.rig.runtime.getDecision(next.id)).toMatchObject({ verdict: { type: 'allow' }, source: 'rule' });
	});

	it('that persist without naming rules add a rule for each uncovered part', async () => {
		await using world = openRig();
		unwrap(await world.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user', argsPattern: 'touch *' }, LEA));
		const row = await world.ask('touch a && echo b | wc -l');
		expect(row.reason).toBe('no rule covers "echo b", "wc -l"');
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow', persist: true, scope: 'project' } as const;
		const decided = unwrap(await world.answers.approve(SESSION, body, LEA));
		expect(decided.rules).toMatchObject([
			{ argsPattern: 'echo *', scope: 'project', scopeId: TEST_PROJECT },
			{ argsPattern: 'wc *', scope: 'project', scopeId: TEST_PROJECT },
		]);
		expect(world.rules.list()).toHaveLength(3);
		const next = world.rig.runtime.emit(permission('touch c && echo d | wc -l'));
		await world.rig.engine.settled();
		const [touch, ...others] = world.rules.list().map(({ id }) => id);
		expect(world.rig.runtime.getDecision(next.id)).toMatchObject({ ruleIds: [...others, touch] });
	});

	it('that name rules add exactly these rules', async () => {
		await using world = openRig();
		const row = await world.ask('touch a && echo b');
		const rules = [{ argsPattern: 'touch a' }, { argsPattern: 'echo *' }];
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow', persist: true, rules } as const;
		expect(unwrap(await world.answers.approve(SESSION, { ...body, rules }, LEA)).rules).toMatchObject(rules);
	});

	it('that persist are rejected before they take effect if no pattern fits', async () => {
		await using world = openRig();
		const row = await world.ask(`echo ${'x'.repeat(600)} > a`);
		const body = { askId: row.id, nonce: row.nonce, decision: 'allow', persist: true } as const;
		expect(await world.answers.approve(SESSION, body, LEA)).toMatchObject({ error: { code: 'bad_request' } });
		expect(world.answers.list({})).toHaveLength(1);
	});

	it('show no secret in the reason that names an uncovered part', async () => {
		await using world = openRig();
		unwrap(await world.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user', argsPattern: 'touch *' }, LEA));
		const secret = `ghp_${'a1B2'.repeat(9)}`;
		// Truncated at the limit of a reason, it would no longer look like a secret.
		const row = await world.ask(`touch a && notify ${'y'.repeat(44)} ${secret}`);
		expect(row.reason).toContain('no rule covers "notify');
		expect(row.reason).not.toContain('ghp_');
	});
});

describe('rules', () => {
	it('apply until they expire', async () => {
		await using world = openRig();
		unwrap(await world.rules.add({ tool: 'Bash', decision: 'allow', scope: 'user', argsPattern: 'ls *', forMs: 60_000 }, LEA));
		const decided = async (command: string) => {
			const { id } = world.rig.runtime.emit(permission(command));
			await world.rig.engine.settled();
			return world.rig.runtime.getDecision(id)?.verdict.type;
		};
		world.clock.now = 60_000;
		expect(await decided('ls a')).toBe('allow');
		expect(unwrap(await world.rules.test({ tool: 'Bash', input: { command: 'ls' } })).decision).toBe('allow');
		world.clock.now = 60_001;
		expect(await decided('ls b')).toBeUndefined();
		expect(unwrap(await world.rules.test({ tool: 'Bash', input: { command: 'ls' } })).decision).toBe('none');
		expect(world.rules.list()).toMatchObject([{ argsPattern: 'ls *', createdAt: 1, expiresAt: 60_001 }]);
	});

	it('are recorded as facts when added and removed, and are restored after a restart', async () => {
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

	it('return none from a test if no rule matches', async () => {
		const rules = book(createMemoryStore());
		expect(unwrap(await rules.test({ tool: 'Bash', input: { command: 'ls' } }))).toEqual({ decision: 'none' });
	});

	it('need a scopeId for a project', async () => {
		expect(await book(createMemoryStore()).add({ tool: 'Bash', decision: 'allow', scope: 'project' }, LEA)).toMatchObject({
			error: { code: 'bad_request' },
		});
	});
});

function openRig() {
	const store = createMemoryStore();
	const clock = { now: 1 };
	const rules = book(store, clock);
	const rig = createEngineRig({ store, rules: rules.inForce });
	const answers = createAskAnswers({
		engine: rig.engine,
		rules,
		projectOf: () => TEST_PROJECT,
		readFileBefore: async () => undefined,
	});
	const ask = async (command = 'ls') => {
		rig.runtime.emit(permission(command));
		return await waitFor(() => (rig.kinds().includes('permission.request') ? answers.list({})[0] : undefined), {
			what: 'the ask',
		});
	};
	return { rig, rules, answers, ask, clock, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

function book(store: ReturnType<typeof createMemoryStore>, clock = { now: 1 }) {
	let ids = 0;
	const stamp = Math.floor(performance.now() * 1000);
	const common = { store, runnerId: runnerId.parse('r'), now: () => clock.now };
	const own = unwrap(openRunnerStream(common));
	const newId = () => ruleId.parse(`rule-${stamp}-${++ids}`);
	return unwrap(openRuleBook({ ...common, builtinDenies: [], projects: createTestProjects(store), newId, own }));
}

function permission(command: string) {
	return { hookName: 'PermissionRequest', toolName: 'Bash', payload: { tool_name: 'Bash', tool_input: { command } } };
}
