import { BEARER, startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { countWatching } from './stream-sockets.ts';

it.each([
	[[], 0],
	[['cli', 'http', 'cli'], 0],
	[['web'], 1],
	[['tui', 'cli', 'web', 'web'], 3],
	[['website', 'TUI', ''], 0],
])('counts among the interfaces %j as watching: %i', (faces, count) => {
	expect(countWatching(faces)).toBe(count);
});

it('does not count a face while it is hidden; one that never reports it counts', async () => {
	await using rig = await startTestGateway();
	const open = (face: string) => rig.open({ headers: { ...BEARER, 'x-roost-face': face } });
	await using terminal = await open('tui');
	await using page = await open('web');
	await Promise.all([terminal.frame('hello'), page.frame('hello')]);
	expect(rig.gateway.watching()).toBe(2);
	const show = async (visible: boolean) => {
		const pongs = () => page.frames.filter(({ type }) => type === 'pong').length;
		const before = pongs();
		page.send({ type: 'presence', visible });
		page.send({ type: 'ping' });
		await waitFor(() => pongs() > before || undefined, { what: 'the frames to be read' });
		return rig.gateway.watching();
	};
	expect(await show(false)).toBe(1);
	expect(JSON.parse((await rig.call({ path: '/api/v1/overview' })).body)).toMatchObject({ watching: 1 });
	expect(await show(true)).toBe(2);
});

it('rejects a presence that is not true or false', async () => {
	await using rig = await startTestGateway();
	await using client = await rig.open({ headers: { ...BEARER, 'x-roost-face': 'web' } });
	client.send({ type: 'presence', visible: 'no' });
	expect((await client.frame('error')).error.message).toContain('frame.visible');
	expect(rig.gateway.watching()).toBe(1);
});
