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
	const counts = (count: number) =>
		waitFor(() => rig.gateway.watching() === count || undefined, {
			what: `${count} watching`,
			seen: () => [rig.gateway.watching()],
		});
	await using terminal = await open('tui');
	await using page = await open('web');
	await terminal.frame('hello');
	await counts(2);
	page.send({ type: 'presence', visible: false });
	await counts(1);
	page.send({ type: 'presence', visible: true });
	await counts(2);
	page.send({ type: 'presence', visible: false });
	await page[Symbol.asyncDispose]();
	await counts(1);
	expect(JSON.parse((await rig.call({ path: '/api/v1/overview' })).body)).toMatchObject({ watching: 1 });
});

it('rejects a presence that is not true or false', async () => {
	await using rig = await startTestGateway();
	await using client = await rig.open({ headers: { ...BEARER, 'x-roost-face': 'web' } });
	client.send({ type: 'presence', visible: 'no' });
	expect((await client.frame('error')).error.message).toContain('frame.visible');
	expect(rig.gateway.watching()).toBe(1);
});
