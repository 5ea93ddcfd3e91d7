import { connectRaw, toBatch } from '@roost/testkit/rigs/hub/raw-runner';
import { sampleLog } from '@roost/testkit/rigs/hub/sample-log';
import { startTestHub } from '@roost/testkit/rigs/hub/test-hub';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';

const MINUTES = 60_000;

describe('command to a runner that is away', () => {
	it('is of use as long as its request lasts, by durations and not by the clock of the runner', async () => {
		for (const daysAhead of [0, 1, -1]) {
			await using rig = await startTestHub();
			rig.clock.aheadMs = daysAhead * 24 * 60 * MINUTES;
			const machine = await rig.pair();
			const [line] = await sampleLog('runner-1', ['s1']);
			if (!line) expect.fail('no line');
			const openedAt = Date.now();
			const ask = sampleAsk('s1.1', { openedAt, expiresAt: openedAt + 30 * MINUTES });
			{
				await using runner = await connectRaw(rig, machine);
				await runner.register();
				await runner.frame('runner.registered');
				const batch = toBatch([line]);
				runner.send({ ...batch, rows: { ...batch.rows, asks: [ask] } }, [line.line]);
				await runner.acknowledged(1);
			}
			const body = { commandId: 'c1', askId: 's1.1', nonce: 'n', decision: 'deny' };
			const sent = await rig.post('/api/v1/runners/runner-1/sessions/s1/approve', body, machine.headers);
			expect(sent.status).toBe(202);
			const [command] = unwrap(await rig.store.commands.pending([machine.id]));
			const life = (command?.expiresAt ?? 0) - (command?.createdAt ?? 0);
			expect(Math.round(life / MINUTES)).toBe(30);
		}
	});
});
