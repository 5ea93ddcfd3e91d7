import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

describe('metrics', () => {
	it('count the clients and report one that lags', async () => {
		await using rig = await startTestGateway({ metrics: (own) => JSON.stringify(own) });
		const read = async () => JSON.parse((await rig.call({ path: '/metrics' })).body);
		expect(await read()).toEqual({ clients: 0, lag: { times: 0, bytes: 0 } });
		await using client = await rig.open();
		client.send({ type: 'subscribe-all', sub: 'all', after: null });
		await client.frame('caught-up');
		client.pause();
		const slow = await waitFor(
			async () => {
				await rig.world.append('s1', 50, 'x'.repeat(10_000));
				const figures = await read();
				return figures.lag.times > 0 ? figures : undefined;
			},
			{ what: 'the client to lag' },
		);
		expect(slow).toMatchObject({ clients: 1, lag: { times: 1 } });
		expect(slow.lag.bytes).toBeGreaterThan(0);
		client.resume();
		await waitFor(async () => ((await read()).lag.bytes === 0 ? true : undefined), {
			what: 'it to catch up',
		});
	});

	it('are plain text in the format version that Prometheus expects', async () => {
		await using rig = await startTestGateway({ metrics: () => 'x 1\n' });
		const { headers, body } = await rig.call({ path: '/metrics' });
		expect([headers['content-type'], body]).toEqual(['text/plain; version=0.0.4; charset=utf-8', 'x 1\n']);
	});
});
