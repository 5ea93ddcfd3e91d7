// The API of a runner below /runners/:runner: the same operations and sockets, for its own id only.
import { upgradeRaw } from '@roost/testkit/rigs/api/raw-stream';
import { BEARER, startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { describe, expect, it } from 'vitest';

describe('paths of a named runner', () => {
	it('answer as the root does, with the same bytes', async () => {
		await using rig = await startTestGateway();
		await rig.world.append('s1', 3);
		const { id } = rig.world.backend.runner;
		for (const path of ['sessions', 'sessions/s1', 'sessions/s1/events?after=1', 'asks', 'projects']) {
			const [root, named] = [
				await rig.call({ path: `/api/v1/${path}` }),
				await rig.call({ path: `/api/v1/runners/${id}/${path}` }),
			];
			expect(named, path).toMatchObject({ status: 200, body: root.body });
		}
	});

	it('run the same commands, once', async () => {
		await using rig = await startTestGateway();
		const { id } = rig.world.backend.runner;
		rig.world.openAsk('s1.1');
		const body = { commandId: 'c1', askId: 's1.1', nonce: 'nonce-s1.1', decision: 'allow' };
		const first = await rig.post(`/api/v1/runners/${id}/sessions/s1/approve`, body);
		expect(await rig.post('/api/v1/sessions/s1/approve', body)).toMatchObject({ status: 200, body: first.body });
		expect(rig.world.answeredBy).toHaveLength(1);
	});

	it('refuse the id of another runner, and what belongs to the gateway', async () => {
		await using rig = await startTestGateway();
		const { id } = rig.world.backend.runner;
		for (const path of ['/api/v1/runners/other/sessions', '/api/v1/runners/%zz/sessions', `/api/v1/runners/${id}/devices`]) {
			expect((await rig.call({ path })).status, path).toBeGreaterThanOrEqual(400);
		}
		expect((await rig.call({ path: '/api/v1/runners/other/sessions' })).body).toContain('Runner \\"other\\" not found.');
	});

	it('open the stream of that runner', async () => {
		await using rig = await startTestGateway();
		const { id } = rig.world.backend.runner;
		await using stream = await rig.open({ path: `/api/v1/runners/${id}/stream` });
		expect(await stream.frame('hello')).toMatchObject({ runnerId: id });
		const other = await upgradeRaw({ port: rig.gateway.port, path: '/api/v1/runners/other/stream', headers: BEARER });
		expect(other).toMatchObject({ status: 404 });
	});
});
