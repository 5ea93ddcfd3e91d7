import type { RuleBody } from '@roost/protocol/api/rules';
import { ruleId, runnerId, sessionId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { createMemoryStore } from '@roost/store/memory-store';
import { sampleRule } from '@roost/testkit/rigs/record/sample-append';
import { createEngineRig, TEST_PATH, TEST_PROJECT } from '@roost/testkit/rigs/runner/engine-rig';
import { createTestProjects } from '@roost/testkit/rigs/runner/test-engine';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openRunnerStream } from '../record/runner-stream.ts';
import { createAskAnswers } from './ask-answers.ts';
import { openRuleBook } from './rule-book.ts';

const LEA = { name: 'lea', face: 'cli' };
const DENY_PUSH: RuleBody = { tool: 'Bash', argsPattern: 'git push *', decision: 'deny', scope: 'user' };

describe('history of a rule before it is added', () => {
	it('lists the calls it would have matched, newest first, with their outcomes', async () => {
		await using world = openWorld();
		await world.call('git push origin main');
		await world.call('git status');
		await world.call('cd x && git push -n', 'allow');
		await world.call('git push -f', 'deny');
		await world.call('git push --tags', 'leave');
		expect(await world.history(DENY_PUSH)).toEqual([
			['git push --tags', { outcome: 'open' }, 'ask', 'deny', true],
			['git push -f', { outcome: 'denied', by: 'lea@cli' }, 'ask', 'deny', true],
			['cd x && git push -n', { outcome: 'allowed', by: 'lea@cli' }, 'ask', 'deny', true],
			['git push origin main', { outcome: 'unasked' }, 'none', 'deny', true],
		]);
	});

	it('explains each match and marks the new rule', async () => {
		await using world = openWorld();
		await world.call('git push');
		const { matches, looked } = unwrap(await world.book.history({ rule: DENY_PUSH, calls: 10 }));
		expect(matches).toEqual([
			expect.objectContaining({
				sessionId: 's1',
				tool: 'Bash',
				today: { decision: 'none' },
				withRule: { decision: 'deny', reason: 'Denied by rule new (Bash git push *)' },
			}),
		]);
		expect(looked).toMatchObject({ calls: 1, since: expect.any(Number), complete: true });
		expect(world.rig.stored().find(({ offset }) => offset === matches[0]?.offset)?.event.kind).toBe('tool.pre');
	});

	it('applies existing rules: a deny wins over the new allow, and nothing changes', async () => {
		await using world = openWorld([sampleRule('no-force', { argsPattern: 'git push --force *', decision: 'deny' })]);
		await world.call('git push --force');
		await world.call('git push', 'allow');
		expect(await world.history({ ...DENY_PUSH, decision: 'allow' })).toEqual([
			['git push', { outcome: 'allowed', by: 'lea@cli' }, 'ask', 'allow', true],
			['git push --force', { outcome: 'denied', by: 'rule no-force' }, 'deny', 'deny', false],
		]);
	});

	it('applies built-in denies before the new rule', async () => {
		await using world = openWorld([], [sampleRule('builtin', { argsPattern: 'git push --mirror *', decision: 'deny' })]);
		await world.call('git push --mirror', 'deny');
		const allow = { ...DENY_PUSH, decision: 'allow' } as const;
		expect(await world.history(allow)).toEqual([
			['git push --mirror', { outcome: 'denied', by: 'lea@cli' }, 'deny', 'deny', false],
		]);
		expect(unwrap(await world.book.test({ tool: 'Bash', input: { command: 'git push --mirror' } })).rule?.id).toBe('builtin');
	});

	it('reports no change for an allow if no person was asked, and a change for an ask', async () => {
		await using world = openWorld();
		await world.call('git push');
		expect(await world.history({ ...DENY_PUSH, decision: 'allow' })).toEqual([
			['git push', { outcome: 'unasked' }, 'none', 'none', false],
		]);
		expect(await world.history({ ...DENY_PUSH, decision: 'ask' })).toEqual([
			['git push', { outcome: 'unasked' }, 'none', 'ask', true],
		]);
	});

	it('respects the scope and needs a scopeId', async () => {
		await using world = openWorld();
		await world.call('git push');
		expect(await world.history({ ...DENY_PUSH, scope: 'project', scopeId: TEST_PROJECT })).toHaveLength(1);
		expect(await world.history({ ...DENY_PUSH, scope: 'session', scopeId: 's1' })).toHaveLength(1);
		expect(await world.history({ ...DENY_PUSH, scope: 'project', scopeId: TEST_PATH })).toHaveLength(1);
		for (const [scope, scopeId] of [
			['session', 'other'],
			['project', '/'],
		] as const) {
			const elsewhere = unwrap(await world.book.history({ rule: { ...DENY_PUSH, scope, scopeId }, calls: 10 }));
			expect(elsewhere).toMatchObject({ looked: { calls: 0, complete: true }, matches: [] });
			expect(unwrapError(await world.book.history({ rule: { ...DENY_PUSH, scope }, calls: 10 })).code).toBe('bad_request');
		}
	});

	it('adds no rule and writes nothing', async () => {
		await using world = openWorld();
		await world.call('git push');
		const before = world.rig.store.read({ afterSeqNo: 0, limit: 100 });
		await world.history(DENY_PUSH);
		expect(world.book.list()).toEqual([]);
		expect(world.rig.store.read({ afterSeqNo: 0, limit: 100 })).toEqual(before);
	});

	it('truncates a long argument', async () => {
		await using world = openWorld();
		await world.call(`git push ${'x'.repeat(10_000)}`);
		expect((await world.history(DENY_PUSH))[0]?.[0]).toMatch(/^git push x{491}…$/);
	});

	it('is empty without a record', async () => {
		await using world = openWorld();
		expect(unwrap(await world.book.history({ rule: DENY_PUSH, calls: 10 }))).toEqual({
			looked: { calls: 0, since: null, complete: true },
			matches: [],
		});
	});
});

function openWorld(rules: Rule[] = [], builtinDenies: Rule[] = []) {
	const store = createMemoryStore();
	const common = {
		store: { ...store, checkedRules: () => ({ ok: true as const, value: { rules, problems: [] } }) },
		runnerId: runnerId.parse('test-runner'),
		now: () => 1,
	};
	const own = unwrap(openRunnerStream(common));
	const book = unwrap(
		openRuleBook({ ...common, projects: createTestProjects(store), builtinDenies, newId: () => ruleId.parse('r1'), own }),
	);
	const rig = createEngineRig({ store, rules: book.list });
	const answers = createAskAnswers({
		engine: rig.engine,
		rules: book,
		projectOf: () => TEST_PROJECT,
		readFileBefore: async () => undefined,
	});
	let calls = 0;
	let requests = 0;

	/** Announces a call, and with `answer` also requests it and answers the request. */
	async function call(command: string, answer?: 'allow' | 'deny' | 'leave'): Promise<void> {
		const id = `call-${++calls}`;
		const payload = { tool_name: 'Bash', tool_input: { command } };
		rig.runtime.emit({ hookName: 'PreToolUse', toolName: 'Bash', toolUseId: id, payload: { ...payload, tool_use_id: id } });
		await stored('tool.pre', calls);
		if (answer === undefined) return;
		rig.runtime.emit({ hookName: 'PermissionRequest', toolName: 'Bash', payload });
		await stored('permission.request', ++requests);
		const ask = await waitFor(() => answers.list({}).find(({ input }) => input.command === command), {
			what: 'the ask',
		});
		if (answer === 'leave') return;
		unwrap(await answers.approve(sessionId.parse('s1'), { askId: ask.id, nonce: ask.nonce, decision: answer }, LEA));
	}

	async function stored(kind: string, count: number): Promise<void> {
		const isThere = () => (rig.kinds().filter((one) => one === kind).length >= count ? true : undefined);
		await waitFor(isThere, { what: `${count} times ${kind}` });
	}

	return {
		rig,
		book,
		call,
		/** For each match: the command, its outcome, the decision by the current rules and with the new rule, and whether they differ. */
		async history(rule: RuleBody) {
			const { matches } = unwrap(await book.history({ rule, calls: 100 }));
			return matches.map(({ argument, became, today, withRule, changed }) => [
				argument,
				became,
				today.decision,
				withRule.decision,
				changed,
			]);
		},
		async [Symbol.asyncDispose]() {
			await rig[Symbol.asyncDispose]();
			await store.close();
		},
	};
}
