import type { RunOnce } from '@roost/gateway/operations/backend';
import { AppError } from '@roost/protocol/app-error';
import { runnerId } from '@roost/protocol/ids';
import { err, ok } from '@roost/protocol/result';
import { createMemoryStore } from '@roost/store/memory-store';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { currentCommand, promiseResult } from './command.ts';
import { createReceipts } from './receipts.ts';
import { openRunnerStream } from './runner-stream.ts';

describe('command with an id', () => {
	it('runs once, even if it is repeated while running or after a restart', async () => {
		await using world = openWorld();
		const first = world.run('a');
		expect(await Promise.all([first, world.run('a')])).toEqual([ok({ made: 1 }), ok({ made: 1 })]);
		world.restart();
		expect(await world.run('a')).toEqual(ok({ made: 1 }));
		expect(await world.run('b')).toEqual(ok({ made: 2 }));
	});

	it('is a conflict if the id was used for another command, also after a restart', async () => {
		await using world = openWorld();
		await world.run('a');
		for (const again of [() => {}, world.restart]) {
			again();
			expect(await world.run('a', { input: { other: true } })).toMatchObject({ ok: false, error: { code: 'conflict' } });
		}
	});

	it('fails again while its runner is alive, and may succeed with the next runner', async () => {
		await using world = openWorld();
		const work = async () => err(new AppError('store_busy', 'Not now.'));
		expect(await world.run('a', { work })).toMatchObject({ error: { code: 'store_busy' } });
		expect(await world.run('a')).toMatchObject({ error: { code: 'store_busy' } });
		world.restart();
		expect(await world.run('a')).toEqual(ok({ made: 1 }));
	});

	it('fails again with the next runner too where its failure is kept, without secrets', async () => {
		await using world = openWorld();
		const cause = { winner: { state: 'allowed', principal: 'lea@cli' } };
		const work = async () => err(new AppError('conflict', 'Not with this secret.', { cause }));
		await world.run('a', { work, keepsFailure: true });
		world.restart();
		const again = { ok: false, error: { code: 'conflict', message: 'Not with this [redacted].', cause } };
		expect(await world.run('a', { keepsFailure: true })).toMatchObject(again);
		expect(await world.run('a', { input: { other: true }, keepsFailure: true })).toMatchObject({ error: { code: 'conflict' } });
	});

	it('returns the result promised before its fact was written, without secrets', async () => {
		await using world = openWorld();
		await world.run('a', { work: world.writesFact({ text: 'secret' }) });
		world.restart();
		expect(await world.run('a')).toEqual(ok({ text: '[redacted]' }));
	});

	it('is recalled from the record if only its fact was written, or has an unknown outcome', async () => {
		await using world = openWorld();
		await world.run('a', { work: world.writesFact(undefined) });
		await world.run('b', { name: 'lost.thing', work: world.writesFact(undefined) });
		world.restart();
		expect(await world.run('a')).toEqual(ok({ recalled: 'some.thing' }));
		expect(await world.run('b', { name: 'lost.thing' })).toMatchObject({
			error: { code: 'conflict', message: expect.stringContaining('outcome of this command is unknown') },
		});
	});

	it('is not repeated if it has an outside effect and its runner was killed during it', async () => {
		await using world = openWorld();
		const begun = Promise.withResolvers<void>();
		void world.run('a', {
			name: 'lost.thing',
			outside: true,
			work() {
				begun.resolve();
				return new Promise(() => {});
			},
		});
		await begun.promise;
		world.restart();
		expect(await world.run('a', { name: 'lost.thing', outside: true })).toMatchObject({ ok: false, error: { code: 'conflict' } });
	});

	it('is no longer current for work that continues after it has ended', async () => {
		await using world = openWorld();
		const later = Promise.withResolvers<void>();
		let seen: unknown = 'not asked';
		const work = async () => {
			void later.promise.then(() => {
				seen = currentCommand();
			});
			return ok({});
		};
		await world.run('a', { work });
		later.resolve();
		await later.promise;
		await Promise.resolve();
		expect(seen).toBeUndefined();
	});
});

function openWorld() {
	const store = createMemoryStore();
	const runner = { store, runnerId: runnerId.parse('r'), now: () => 1 };
	const { keep } = unwrap(openRunnerStream(runner));
	const open = () =>
		createReceipts({
			store,
			keep,
			recall: (name) => (name.startsWith('lost') ? undefined : { recalled: name }),
			redact: (result) => JSON.parse(JSON.stringify(result).replaceAll('secret', '[redacted]')),
			now: () => 1,
		});
	let receipts = open();
	let made = 0;
	return {
		run: (id: string, over: Partial<RunOnce> = {}) =>
			receipts.run({ id, name: 'some.thing', input: {}, outside: false, work: async () => ok({ made: ++made }), ...over }),
		/** As a session stores it: with the receipt of its command. */
		writesFact: (promised: unknown) => async () => {
			if (promised !== undefined) promiseResult(promised);
			const command = currentCommand();
			if (command) unwrap(await keep(command.receipt(1)));
			command?.saved();
			return ok(promised);
		},
		restart() {
			receipts = open();
		},
		[Symbol.asyncDispose]: () => store.close(),
	};
}
