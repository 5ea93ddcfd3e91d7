import { ok } from '@roost/protocol/result';
import { samplePermission } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { handleAsks } from './handle-asks.ts';

describe('an ask of a run that asks nobody', () => {
	it('is told as refused before the run may be told as ended', async () => {
		const ask = samplePermission();
		const answered = Promise.withResolvers<void>();
		const told: string[] = [];
		const refuse = async () => {
			await answered.promise;
			return ok(ask);
		};
		const handling = handleAsks({
			onAsk: 'fail',
			asks: { approve: refuse, answer: refuse },
			isOurs: () => true,
			say: () => {},
			onFailed: () => told.push('refused'),
		});
		handling.observe(ask);
		const over = handling.settled().then(() => told.push('over'));
		answered.resolve();
		await over;
		expect(told).toEqual(['refused', 'over']);
	});
});
