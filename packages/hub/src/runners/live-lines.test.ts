// A runner over a real socket: which of its lines are live, and so may notify people.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import { splitFrameText, toFrameText } from '@roost/protocol/hub/frame-text';
import { type Batch, type HubFrame, hubFrame, LINK_PATH } from '@roost/protocol/hub/link-frames';
import { hubId } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { ok } from '@roost/protocol/result';
import { loneNode } from '@roost/testkit/rigs/hub/lone-node';
import { type ChainedLine, logOf, sampleLog, sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { sampleAsk } from '@roost/testkit/rigs/record/sample-append';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSqliteHubStore } from '../store/sqlite-hub-store.ts';
import { loadRunners } from './known-runners.ts';
import { createLanes } from './lanes.ts';
import { createLinkServer } from './link-server.ts';

const HUB = { id: hubId.parse('testhub0testhub0'), sign: (text: string) => signText(createSigningKey(), text) };
const NONCE = 'n'.repeat(32);

it('reports lines with their rows as live or not, once, and only those that were not known', async () => {
	await using directory = await createTempDir();
	await using store = unwrap(openSqliteHubStore({ path: join(directory.path, 'hub.db') }));
	const key = createSigningKey();
	const log = logOf('runner-1');
	unwrap(await store.runners.pair({ ...sampleRunner('runner-1'), publicKey: key.publicKey }));
	const runners = unwrap(await loadRunners({ store, ...loneNode() }));
	const taken: unknown[] = [];
	await using links = createLinkServer({
		hub: HUB,
		runners,
		store,
		lanes: createLanes(2),
		onConnected: () => {},
		onPresence: () => {},
		onTaken: ({ id }, { entries, asks }, isLive) =>
			taken.push([id, entries.map(({ seqNo }) => seqNo), asks.map((ask) => ask.id), isLive]),
		settle: async () => ok(undefined),
		now: Date.now,
		newId: () => 'x',
		log: () => {},
	});
	const server = createServer().on('upgrade', links.door).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}${LINK_PATH}`);
	const frames: HubFrame[] = [];
	socket.on('message', (bytes) => frames.push(hubFrame.parse(splitFrameText(String(bytes)).head)));
	const challenge = await waitFor(() => frames.find((frame) => frame.type === 'hub.challenge'), { what: 'the challenge' });
	const signed = toLinkText({
		purpose: 'register',
		hub: HUB.id,
		nonce: challenge.nonce,
		runner: log.runnerId,
		epoch: 1,
		lastSeqNo: 4,
	});
	const accepts = { read: 'role', stop: 'role', operate: 'signed', approve: 'signed', own: 'none' } as const;
	const registration = {
		runnerId: log.runnerId,
		runnerName: 'laptop',
		version: '1',
		protocol: { min: 1, max: 1 },
		capabilities: [],
		activeSessions: [],
	};
	socket.send(
		toFrameText({
			type: 'runner.register',
			...registration,
			epoch: 1,
			lastSeqNo: 4,
			accepts,
			nonce: NONCE,
			signature: signText(key, signed),
		}),
	);
	await waitFor(() => frames.find((frame) => frame.type === 'runner.registered'), {
		what: 'the registration',
		seen: () => frames,
	});
	const lines = await sampleLog('runner-1', ['s1', 's1', 's1', 's1']);
	const send = (type: 'event' | 'event.backfill', some: ChainedLine[], ask: string) =>
		socket.send(
			toFrameText(
				{ type, ...toBatch(some, ask) },
				some.map(({ line }) => line),
			),
		);
	send('event.backfill', lines.slice(0, 2), 'a1');
	send('event', lines.slice(2, 3), 'a2');
	send('event', lines.slice(2, 3), 'a2');
	send('event', lines.slice(2, 4), 'a3');
	await waitFor(() => (runners.find('runner-1')?.lastSeqNo === 4 ? true : undefined), { what: 'the lines', seen: () => frames });
	expect(taken).toEqual([
		['runner-1', [1, 2], ['a1'], false],
		['runner-1', [3], ['a2'], true],
		['runner-1', [4], ['a3'], true],
	]);
	socket.terminate();
	await links[Symbol.asyncDispose]();
	await new Promise((resolve) => server.close(resolve));
});

function toBatch(lines: readonly ChainedLine[], ask: string): Batch {
	return {
		first: lines[0]?.seqNo ?? 0,
		streams: lines.slice(0, 1).map(({ stream }) => stream),
		places: lines.map(({ offset }) => [0, offset]),
		heads: lines.slice(-1).map(({ hash }) => hash),
		rows: { sessions: [], asks: [sampleAsk(ask)], queues: [], usage: [] },
	};
}
