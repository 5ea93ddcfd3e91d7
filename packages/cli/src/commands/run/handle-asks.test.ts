import { ok } from '@roost/protocol/result';
import { samplePermission } from '@roost/testkit/rigs/tui/sample-world';
import { describe, expect, it } from 'vitest';
import { handleAsks } from './handle-asks.ts';

describe('ask of an unattended run', () => {
	it('is reported as denied before the run is reported as ended', async () => {
		const ask = samplePermission();
		const answered = Promise.withResolvers<void>();
		const reported: string[] = [];
		const refuse = async () => {
			await answered.promise;
			return ok(ask);
		};
		const handling = handleAsks({
			onAsk: 'fail',
			asks: { approve: refuse, answer: refuse },
			isOurs: () => true,
			say: () => {},
			onFailed: () => reported.push('refused'),
		});
		handling.observe(ask);
		const over = handling.settled().then(() => reported.push('over'));
		answered.resolve();
		await over;
		expect(reported).toEqual(['refused', 'over']);
	});
});
