// The terminal client over a real gateway: it shows output at its own pace, and reconnects with its lease.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTerminalClient, type TerminalOver } from '@roost/client/terminal-client';
import { realTimers } from '@roost/machine/timers';
import type { TerminalControl } from '@roost/protocol/api/terminals';
import { startTestGateway, TEST_TOKEN } from '@roost/testkit/rigs/api/test-gateway';
import { programIn } from '@roost/testkit/rigs/runner/test-terminals';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createTerminalLook } from '@roost/testkit/rigs/terminal/terminal-look';
import { unwrap } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { openNodeTerminalSocket } from '../transport/node-transport.ts';

const SIZE = { cols: 80, rows: 24 };

async function openWorld({ slow = false }: { slow?: boolean } = {}) {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const rig = stack.use(await startTestGateway());
	const { id } = unwrap(await rig.world.terminals.start({ program: programIn(path, '/bin/sh') }));
	let look = createTerminalLook(SIZE);
	const line = stack.use(await openCuttableLine(rig.gateway.port));
	const seen = { snapshots: 0, bytes: 0, lost: 0, control: [] as TerminalControl[], over: undefined as TerminalOver | undefined };
	const url = `ws://127.0.0.1:${line.port}/api/v1/terminals/${id}`;
	const client = stack.use(
		createTerminalClient({
			openSocket: () => openNodeTerminalSocket(url, { token: TEST_TOKEN, face: 'cli' }),
			want: 'control',
			size: SIZE,
			timers: realTimers,
			random: () => 0,
			backoff: { initialDelayMs: 1, maxDelayMs: 50, multiplier: 2 },
			window: {
				async snapshot(bytes) {
					seen.snapshots++;
					look[Symbol.dispose]();
					look = createTerminalLook(SIZE);
					await look.write(bytes);
				},
				async bytes(bytes) {
					seen.bytes += bytes.length;
					await look.write(bytes);
					if (slow) await new Promise((resolve) => setImmediate(resolve));
				},
				attached: () => {},
				control: (control) => seen.control.push(control),
				resized: () => {},
				refused: () => {},
				lost: () => seen.lost++,
				ended: (over) => {
					seen.over = over;
				},
			},
		}),
	);
	const owned = stack.move();
	return {
		client,
		seen,
		rig,
		type: (keys: string) => client.type(Buffer.from(keys)),
		shows: (words: string, deadlineMs = 20_000) =>
			waitFor(() => (look.lines().some((line) => line.includes(words)) ? true : undefined), {
				deadlineMs,
				what: words,
				seen: () => look.lines(),
			}),
		cut: line.cut,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

describe('the terminal client', () => {
	it('shows output, sends keys and reports the exit', async () => {
		await using world = await openWorld();
		await world.shows('ready>');
		world.type('echo answer-$((6 * 7)); exit 6\r');
		await world.shows('answer-42');
		const over = await waitFor(() => world.seen.over, { what: 'the end' });
		expect(over).toEqual({ type: 'closed', exitCode: 6, signal: null });
	});

	it('reconnects with its lease and a fresh snapshot, and can still type', async () => {
		await using world = await openWorld();
		await world.shows('ready>');
		world.type('echo first-$((1 + 1))\r');
		await world.shows('first-2');
		const [control] = world.seen.control;
		world.cut();
		await waitFor(() => (world.seen.snapshots === 2 ? true : undefined), { what: 'a second snapshot' });
		await world.shows('first-2');
		expect(world.seen.lost).toBe(1);
		expect(world.seen.control.at(-1)).toEqual(control);
		expect(control).toMatchObject({ holder: 'you' });
		world.type('echo second-$((1 + 1))\r');
		await world.shows('second-2');
	});

	it('receives all output of a flood that its window shows slowly', { timeout: 180_000 }, async () => {
		await using world = await openWorld({ slow: true });
		await world.shows('ready>');
		world.type("head -c 3000000 /dev/zero | tr '\\0' 'x' | fold -w 78; echo flood-$((1 + 1))\r");
		await world.shows('flood-2', 150_000);
		expect(world.seen.bytes).toBeGreaterThan(3_000_000);
		expect(world.seen.snapshots).toBe(1);
	});

	it('reports an unknown terminal', async () => {
		await using world = await openWorld();
		await world.shows('ready>');
		const ended: TerminalOver[] = [];
		const url = `ws://127.0.0.1:${world.rig.gateway.port}/api/v1/terminals/none`;
		using _client = createTerminalClient({
			openSocket: () => openNodeTerminalSocket(url, { token: TEST_TOKEN, face: 'cli' }),
			want: 'view',
			size: SIZE,
			timers: realTimers,
			random: () => 0,
			window: {
				snapshot: () => {},
				bytes: () => {},
				attached: () => {},
				control: () => {},
				resized: () => {},
				refused: () => {},
				lost: () => {},
				ended: (over) => ended.push(over),
			},
		});
		const over = await waitFor(() => ended[0], { what: 'the refusal' });
		expect(over).toMatchObject({ type: 'failed', error: { code: 'not_found' } });
	});
});

type CuttableLine = AsyncDisposable & { readonly port: number; cut(): void };

/** A proxied connection that can be cut without notice to either side. */
async function openCuttableLine(to: number): Promise<CuttableLine> {
	const ends = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(to, '127.0.0.1');
		for (const end of [near, far]) {
			ends.add(end);
			end.on('error', () => {});
			end.on('close', () => ends.delete(end));
		}
		// The server accepts only requests for its own port.
		near.once('data', (request: Buffer) => {
			far.write(request.toString('latin1').replace(`127.0.0.1:${port}`, `127.0.0.1:${to}`), 'latin1');
			near.pipe(far);
		});
		far.pipe(near);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const cut = () => {
		for (const end of ends) end.destroy();
	};
	return {
		port,
		cut,
		async [Symbol.asyncDispose]() {
			cut();
			server.close();
			await once(server, 'close');
		},
	};
}
