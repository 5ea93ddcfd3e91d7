import type { RawStream } from '@roost/testkit/rigs/api/raw-stream';
import { startTestGateway } from '@roost/testkit/rigs/api/test-gateway';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';

const SOAK = process.env.ROOST_SOAK === '1';
const EVENTS = SOAK ? 10_000 : 2_000;
const CLIENTS = SOAK ? 50 : 8;
const BATCH = 20;
const TEXT = 'x'.repeat(SOAK ? 2_000 : 10_000);

function placesOf(stream: RawStream): number[] {
	return stream.frames.flatMap((frame) => (frame.type === 'line' ? [frame.line.seqNo] : []));
}

async function waitForAll(stream: RawStream, count: number): Promise<void> {
	await waitFor(() => (placesOf(stream).length >= count ? true : undefined), {
		what: `${count} lines`,
		seen: () => ({ lines: placesOf(stream).length, closed: stream.closed() }),
	});
}

describe('client that does not read', () => {
	it('does not slow down others, gets "lagged", and then receives every line once and in order', async () => {
		// A client that reads nothing answers no ping either; on a busy machine it would be disconnected before it reads again.
		await using rig = await startTestGateway({ limits: { pingMs: 3_600_000 } });
		await using opened = new AsyncDisposableStack();
		const clients: RawStream[] = [];
		for (let index = 0; index < CLIENTS; index++) clients.push(opened.use(await rig.open()));
		for (const client of clients) client.send({ type: 'subscribe-all', sub: 'a', after: null });
		for (const client of clients) await client.frame('caught-up');
		const [stalled, ...readers] = clients;
		if (!stalled) throw new Error('there are no clients');
		stalled.pause();
		for (let sent = 0; sent < EVENTS; sent += BATCH) await rig.world.append('s1', BATCH, TEXT);
		for (const reader of readers) await waitForAll(reader, EVENTS);
		expect(placesOf(stalled).length).toBeLessThan(EVENTS);

		rig.world.openAsk('while-it-slept');
		stalled.resume();
		await waitForAll(stalled, EVENTS);
		await stalled.frame('ask');
		const all = Array.from({ length: EVENTS }, (_, at) => at + 1);
		for (const client of clients) expect(placesOf(client)).toEqual(all);
		const lagged = await stalled.frame('lagged');
		expect(lagged).toMatchObject({ sub: 'a' });
		expect(stalled.frames.filter(({ type }) => type === 'lagged')).toHaveLength(1);
		expect(stalled.frames.filter(({ type }) => type === 'caught-up')).toHaveLength(2);
	});
});
