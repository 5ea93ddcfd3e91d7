// Channels of terminals at two nodes of a hub, with real sockets: who may join one, and what passes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '@roost/gateway/access/caller';
import { createSigningKey, signText } from '@roost/machine/signing-key';
import { AppError } from '@roost/protocol/app-error';
import type { TerminalOpen } from '@roost/protocol/hub/link-frames';
import { hubId } from '@roost/protocol/hub/pairing';
import { toLinkText } from '@roost/protocol/hub/signed-text';
import { type RunnerId, runnerId, terminalId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { sampleRunner } from '@roost/testkit/rigs/hub/sample-log';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLocalNetwork } from '../bus/local-bus.ts';
import type { KnownRunner } from '../runners/known-runners.ts';
import { createChannels } from './channels.ts';

const HUB = { id: hubId.parse('testhub0testhub0') };
const KEY = createSigningKey();
const RUNNER = runnerId.parse('runner-1');
const TERMINAL = terminalId.parse('t1');
const LEA: Caller = {
	...{ via: 'token', roles: ['view'], address: '', origin: undefined },
	principal: { name: 'lea', face: 'cli' },
};

describe.each(['the same node', 'another node'] as const)('a channel that the runner joins at %s', (place) => {
	it('passes messages both ways as they are, in order, also those that came before the runner', async () => {
		await using world = await openWorld(place);
		const face = await world.openFace();
		face.send('early');
		const runner = await world.join();
		face.send(Buffer.from([0, 255]));
		face.send('');
		await runner.received(3);
		expect(runner.messages).toEqual(['early', Buffer.from([0, 255]), '']);
		const large = Buffer.alloc(700_000, 'x');
		for (const message of [large, 'text', Buffer.alloc(0)]) runner.send(message);
		await face.received(3);
		expect(face.messages.map(String)).toEqual([large.toString(), 'text', '']);
	});

	it.each(['face', 'runner'] as const)('ends for both when the %s leaves, with how it left', async (side) => {
		for (const isLost of [true, false]) {
			await using world = await openWorld(place);
			const face = await world.openFace();
			const runner = await world.join();
			face.send('hello');
			await runner.received(1);
			const [leaving, other] = side === 'face' ? [face, runner] : [runner, face];
			if (isLost) leaving.socket.terminate();
			else leaving.socket.close(1000);
			expect(await other.closed()).toBe(isLost ? 1013 : 1000);
			await waitFor(() => (world.open() === 0 ? true : undefined), { what: 'the end of the pipes' });
		}
	});

	it.each(['face', 'runner'] as const)('stops reading from a side while the other one, the %s, reads nothing', async (slow) => {
		await using world = await openWorld(place);
		const face = await world.openFace();
		const runner = await world.join();
		face.send('hello');
		await runner.received(1);
		const [reader, writer] = slow === 'face' ? [face, runner] : [runner, face];
		reader.socket.pause();
		const part = Buffer.alloc(64 * 1024, 'y');
		const parts = 800;
		for (let count = 0; count < parts; count++) writer.send(part);
		// What is not passed on stays with the writer.
		let [last, same] = [0, 0];
		const isStopped = () => {
			const now = writer.socket.bufferedAmount;
			same = now === last ? same + 1 : 0;
			last = now;
			return same > 25 || undefined;
		};
		await waitFor(isStopped, { what: 'a writer that is stopped' });
		expect(last).toBeGreaterThan(30 * 1024 * 1024);
		reader.socket.resume();
		await reader.received(parts + (slow === 'runner' ? 1 : 0));
	});

	it('is not joined with the signature of another key, by another runner, or twice', async () => {
		await using world = await openWorld(place);
		const face = await world.openFace();
		const thief = await world.join({ key: createSigningKey() });
		expect(await thief.closed()).toBe(4404);
		const other = await world.join({ runner: runnerId.parse('runner-2') });
		expect(await other.closed()).toBe(4404);
		const odd = await world.dial('{"type":"channel.join"}');
		expect(await odd.closed()).toBe(4404);
		const runner = await world.join();
		face.send('hello');
		await runner.received(1);
		const second = await world.join();
		expect(await second.closed()).toBe(4404);
		face.send('still');
		await runner.received(2);
		expect([thief, other, odd, second].flatMap(({ messages }) => messages)).toEqual([]);
	});

	it('ends when its runner is revoked', async () => {
		await using world = await openWorld(place);
		const face = await world.openFace();
		const runner = await world.join();
		face.send('hello');
		await runner.received(1);
		world.dismiss();
		expect([await face.closed(), await runner.closed()]).toEqual([1013, 1013]);
	});
});

it('ends at once when the other node is gone', async () => {
	await using world = await openWorld('another node');
	const face = await world.openFace();
	const runner = await world.join();
	face.send('hello');
	await runner.received(1);
	await world.leaveBus();
	expect(await face.closed()).toBe(1013);
});

it('tells a face why its runner does not join', async () => {
	await using world = await openWorld('the same node', { asked: err(new AppError('not_found', 'The runner is offline.')) });
	const face = await world.openFace();
	expect([await face.closed(), face.reason()]).toEqual([1013, 'The runner is offline.']);
	await using late = await openWorld('the same node', { joinMs: 20 });
	const waiting = await late.openFace();
	expect([await waiting.closed(), waiting.reason()]).toEqual([
		1013,
		expect.stringContaining('did not open the terminal in time'),
	]);
});

it('opens no channel for who may not type into terminals of the runner', async () => {
	await using world = await openWorld('the same node', { mayOpen: false });
	const face = await world.openFace();
	await face.received(1);
	expect(JSON.parse(String(face.messages[0]))).toMatchObject({
		type: 'refused',
		error: { code: 'denied', message: expect.stringContaining('needs the role "owner"') },
		final: true,
	});
	expect([await face.closed(), world.asked()]).toEqual([1008, []]);
});

type Options = { joinMs?: number; mayOpen?: boolean; asked?: Result<void> };

async function openWorld(place: 'the same node' | 'another node', options: Options = {}) {
	await using stack = new AsyncDisposableStack();
	const network = createLocalNetwork();
	const buses = [network.join(), network.join()] as const;
	const [near, far] = buses.map((bus) =>
		stack.use(
			createChannels({ hub: HUB, bus, mayOpen: () => options.mayOpen ?? true, joinMs: options.joinMs ?? 5_000, beatMs: 20 }),
		),
	);
	if (!near || !far) return expect.unreachable('two nodes');
	const asked: TerminalOpen[] = [];
	const runner = {
		id: RUNNER,
		row: sampleRunner('runner-1', KEY.publicKey),
		async openTerminal(open: TerminalOpen) {
			asked.push(open);
			return options.asked ?? ok(undefined);
		},
	} as unknown as KnownRunner;
	const faces = stack.adopt(new WebSocketServer({ host: '127.0.0.1', port: 0 }), (server) => {
		for (const client of server.clients) client.terminate();
		server.close();
	});
	faces.on('connection', (socket) => {
		const passed = near.of(runner)(TERMINAL, LEA, socket);
		socket.on('message', (data: Buffer, isBinary) => passed.receive(data, isBinary));
		socket.on('close', (code) => passed.leave(code === 1000 ? 'left' : 'lost'));
	});
	const joined = place === 'the same node' ? near : far;
	const http = createServer()
		.on('upgrade', (request, socket, head) => joined.findDoor(request.url ?? '')?.(request, socket, head))
		.listen(0, '127.0.0.1');
	stack.defer(() => void http.close());
	await Promise.all([once(http, 'listening'), once(faces, 'listening')]);
	const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

	async function dial(first: string): Promise<End> {
		const channel = await waitFor(() => asked.at(-1)?.channel, { what: 'the channel' });
		const end = openEnd(`ws://127.0.0.1:${portOf(http)}/ws/runner/terminals/${channel}`);
		await end.opened;
		end.send(first);
		return end;
	}
	const owned = stack.move();
	return {
		asked: () => asked,
		open: () => near.open() + far.open(),
		async openFace() {
			const end = openEnd(`ws://127.0.0.1:${portOf(faces)}`);
			await end.opened;
			return end;
		},
		dial,
		async join({ key = KEY, runner: id = RUNNER as RunnerId } = {}) {
			const channel = await waitFor(() => asked.at(-1)?.channel, { what: 'the channel' });
			const signature = signText(key, toLinkText({ purpose: 'channel', hub: HUB.id, channel, runner: id }));
			return await dial(JSON.stringify({ type: 'channel.join', runner: id, signature }));
		},
		dismiss() {
			for (const node of [near, far]) node.dismiss(RUNNER);
		},
		leaveBus: () => buses[1][Symbol.asyncDispose](),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

type End = ReturnType<typeof openEnd>;

function openEnd(url: string) {
	const socket = new WebSocket(url);
	const messages: (string | Buffer)[] = [];
	let ended: { code: number; reason: string } | undefined;
	socket.on('error', () => {});
	socket.on('message', (data: Buffer, isBinary) => messages.push(isBinary ? data : data.toString()));
	socket.on('close', (code, reason) => {
		ended = { code, reason: reason.toString() };
	});
	return {
		socket,
		messages,
		opened: once(socket, 'open'),
		send: (message: string | Buffer) => socket.send(message),
		received: (count: number) =>
			waitFor(() => (messages.length >= count ? true : undefined), { what: `${count} messages`, seen: () => messages.length }),
		closed: async () => (await waitFor(() => ended, { what: 'the end' })).code,
		reason: () => ended?.reason,
	};
}
