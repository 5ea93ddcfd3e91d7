// The contract of every store for asks and rules; part of the suite for stores.
import type { AskRow } from '@roost/protocol/ask';
import { type AskId, askId, ruleId, sessionId } from '@roost/protocol/ids';
import { sampleAppend, sampleAsk, sampleEvent, sampleRule, sampleSession } from '@roost/testkit/rigs/record/sample-append';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { expect, it } from 'vitest';
import type { StoreWorld } from './store.contract.ts';
import type { AsksQuery } from './store.ts';

export function describeAsks(createWorld: () => Promise<StoreWorld>): void {
	it('lists asks, oldest first, as last written', async () => {
		await using world = await createWorld();
		const rows = [sampleAsk('late', { openedAt: 30 }), sampleAsk('early', { openedAt: 10 }), sampleAsk('same', { openedAt: 10 })];
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: rows })));
		const allowed = decided('early', 'allowed', { openedAt: 10 });
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 2)], { asks: [allowed] })));
		expect(unwrap(world.store.asks())).toEqual([allowed, rows[2], rows[0]]);
	});

	it('finds asks by id, session and state, up to the limit', async () => {
		await using world = await createWorld();
		const rows = [
			sampleAsk('1', { openedAt: 1 }),
			sampleAsk('2', { openedAt: 2, sessionId: sessionId.parse('b') }),
			decided('3', 'denied', { openedAt: 3 }),
			sampleAsk('4', { openedAt: 4 }),
		];
		unwrap(await world.store.append(sampleAppend('a', [], { asks: rows })));
		const found = (query: AsksQuery) => unwrap(world.store.asks(query)).map(({ id }) => id);
		const a = sessionId.parse('a');
		expect(found({ id: askId.parse('2') })).toEqual(['2']);
		expect(found({ id: askId.parse('2'), sessionId: a })).toEqual([]);
		expect(found({ sessionId: a })).toEqual(['1', '3', '4']);
		expect(found({ state: 'pending' })).toEqual(['1', '2', '4']);
		expect(found({ state: 'pending', sessionId: a })).toEqual(['1', '4']);
		expect(found({ state: 'pending', limit: 2 })).toEqual(['1', '2']);
		expect(found({ limit: 0 })).toEqual([]);
		for (const limit of [-1, 0.5, Number.NaN]) expect(unwrapError(world.store.asks({ limit })).code).toBe('bad_request');
	});

	it.each(['allowed', 'denied', 'answered', 'expired', 'cancelled', 'answered-elsewhere'] as const)(
		'never changes an ask that is %s',
		async (state) => {
			await using world = await createWorld();
			const kept = decided('1', state);
			unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1')] })));
			unwrap(await world.store.append(sampleAppend('a', [], { asks: [kept] })));
			const others = [
				sampleAsk('1'),
				decided('1', state === 'denied' ? 'allowed' : 'denied'),
				{ ...kept, decidedBy: 'other@http' },
				{ ...kept, input: { command: 'rm -rf /' } },
			];
			for (const other of others) {
				const refused = await world.store.append(sampleAppend('a', [], { asks: [other] }));
				expect(unwrapError(refused)).toMatchObject({
					code: 'conflict',
					message: expect.stringContaining(`Ask 1 is already ${state}`),
				});
				expect(unwrap(world.store.asks())).toEqual([kept]);
			}
		},
	);

	it('accepts the same decided ask again, with its fields in any order', async () => {
		await using world = await createWorld();
		const kept = decided('1', 'allowed', { verdict: { type: 'allow', updatedInput: { b: 1, a: [2] } } });
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [kept] })));
		const [read] = unwrap(world.store.asks());
		const { id, ...rest } = kept;
		for (const [at, same] of [kept, read ?? kept, { ...rest, id }].entries()) {
			const again = sampleAppend('a', [sampleEvent('a', at + 1)], { asks: [same] });
			expect(unwrap(await world.store.append(again)).firstOffset).toBe(at + 1);
		}
		expect(unwrap(world.store.asks())).toEqual([kept]);
	});

	it('stores nothing of a request that would decide an ask again, but all others of its group', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1')] })));
		const answers = (['allowed', 'denied', 'allowed'] as const).map((state, at) =>
			world.store.append(
				sampleAppend('a', [sampleEvent('a', at + 1)], {
					session: sampleSession(`s${at}`),
					asks: [sampleAsk(`new-${at}`), decided('1', state, { decidedBy: `owner-${at}@http` })],
					rules: { add: [sampleRule(`r${at}`)] },
				}),
			),
		);
		const results = await Promise.all([...answers, world.store.append(sampleAppend('b', [sampleEvent('b', 1)]))]);
		expect(results.map((result) => (result.ok ? result.value.firstSeqNo : result.error.code))).toEqual([
			1,
			'conflict',
			'conflict',
			2,
		]);
		expect(unwrap(world.store.asks()).map(({ id, state, decidedBy }) => [id, state, decidedBy])).toEqual([
			['1', 'allowed', 'owner-0@http'],
			['new-0', 'pending', undefined],
		]);
		expect(unwrap(world.store.sessions()).map(({ id }) => id)).toEqual(['s0']);
		expect(unwrap(world.store.rules()).map(({ id }) => id)).toEqual(['r0']);
		expect(unwrap(world.store.verify()).intact).toBe(true);
	});

	it('decides an ask by a later request of the group if an earlier one was rejected', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: [sampleAsk('1')] })));
		const [repeated, later, last, both] = await Promise.all([
			world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: [decided('1', 'allowed')] })),
			world.store.append(sampleAppend('a', [sampleEvent('a', 2)], { asks: [decided('1', 'denied')] })),
			world.store.append(sampleAppend('a', [sampleEvent('a', 3)], { asks: [decided('1', 'expired')] })),
			world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { asks: [decided('1', 'allowed')] })),
		]);
		expect(unwrapError(repeated).code).toBe('duplicate_event');
		expect(unwrap(later).firstOffset).toBe(2);
		expect([last, both].map((refused) => unwrapError(refused).code)).toEqual(['conflict', 'conflict']);
		expect(unwrap(world.store.asks())).toEqual([decided('1', 'denied')]);
	});

	it('also compares the rows within one request', async () => {
		await using world = await createWorld();
		const twice = { asks: [decided('1', 'allowed'), decided('1', 'denied')] };
		expect(unwrapError(await world.store.append(sampleAppend('a', [], twice))).code).toBe('conflict');
		expect(unwrap(world.store.asks())).toEqual([]);
		unwrap(await world.store.append(sampleAppend('a', [], { asks: [sampleAsk('1'), decided('1', 'allowed')] })));
		expect(unwrap(world.store.asks())).toEqual([decided('1', 'allowed')]);
	});

	it('rejects asks that cannot be stored unchanged', async () => {
		await using world = await createWorld();
		const bad = [{ openedAt: Number.NaN }, { id: 'half \ud800' as AskId }, { input: { big: 1n } }];
		for (const over of bad) {
			const request = sampleAppend('a', [sampleEvent('a', 1)], { asks: [sampleAsk('1', over)] });
			expect(unwrapError(await world.store.append(request)).code).toBe('bad_request');
		}
		expect(unwrap(world.store.read({ afterSeqNo: 0, limit: 1 }))).toEqual([]);
	});

	it('is not affected if the caller changes a row later', async () => {
		await using world = await createWorld();
		const row = sampleAsk('1');
		const pending = world.store.append(sampleAppend('a', [], { asks: [row] }));
		row.state = 'allowed';
		unwrap(await pending);
		for (const got of unwrap(world.store.asks())) got.input.command = 'changed';
		expect(unwrap(world.store.asks())).toEqual([sampleAsk('1')]);
	});
}

export function describeRules(createWorld: () => Promise<StoreWorld>): void {
	it('lists rules, oldest first, without removed ones', async () => {
		await using world = await createWorld();
		const rules = [sampleRule('late', { createdAt: 30 }), sampleRule('early', { createdAt: 10 }), sampleRule('gone')];
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: rules } })));
		const remove = ['gone', 'never there'].map((id) => ruleId.parse(id));
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules: { remove } })));
		expect(unwrap(world.store.rules())).toEqual([rules[1], rules[0]]);
	});

	it('never changes a rule in place, accepts it again, and replaces one removed in the same request', async () => {
		await using world = await createWorld();
		const [first, other] = [sampleRule('1'), sampleRule('1', { decision: 'deny' })];
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [first] } })));
		const refused = await world.store.append(
			sampleAppend('a', [sampleEvent('a', 1)], { rules: { add: [sampleRule('2'), other] } }),
		);
		expect(unwrapError(refused).code).toBe('conflict');
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [first] } })));
		expect(unwrap(world.store.rules())).toEqual([first]);
		unwrap(await world.store.append(sampleAppend('a', [], { rules: { add: [other], remove: [other.id] } })));
		expect(unwrap(world.store.rules())).toEqual([other]);
	});

	it('does not write the rules of a rejected request', async () => {
		await using world = await createWorld();
		unwrap(await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules: { add: [sampleRule('1')] } })));
		const rules = { add: [sampleRule('2')], remove: [ruleId.parse('1')] };
		expect((await world.store.append(sampleAppend('a', [sampleEvent('a', 1)], { rules }))).ok).toBe(false);
		expect(unwrap(world.store.rules())).toEqual([sampleRule('1')]);
	});
}

function decided(id: string, state: AskRow['state'], over: Partial<AskRow> = {}): AskRow {
	return sampleAsk(id, { state, decidedAt: 1_700_000_000_900, decidedBy: 'owner@cli', ...over });
}
