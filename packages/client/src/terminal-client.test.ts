import { type TerminalClientFrame, type TerminalServerFrame, terminalClientFrame } from '@roost/protocol/api/terminals';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { describe, expect, it } from 'vitest';
import { createTerminalClient, type TerminalClientDeps } from './terminal-client.ts';
import type { TerminalSocket } from './terminal-socket.ts';

const SIZE = { cols: 80, rows: 24 };

describe('a terminal', () => {
	it('gets pieces as they arrive, and confirms them when all before are shown', async () => {
		using world = attached();
		world.bytes('ab', 'cd');
		expect(world.handedOn).toEqual(['snapshot', 'ab', 'cd']);
		await world.show('cd');
		world.timers.advance(50);
		expect(world.acks()).toEqual([]);
		await world.show('snapshot');
		await world.show('ab');
		world.timers.advance(50);
		expect(world.acks()).toEqual([100, 104]);
	});

	it('requests the lines above the screen again only for a window that forgets them', () => {
		for (const [laterScrollback, requested] of [
			[undefined, [100, 0]],
			[80, [100, 80]],
		] as const) {
			using world = createWorld({ scrollback: 100, ...(laterScrollback === undefined ? {} : { laterScrollback }) });
			world.open();
			world.cut();
			world.timers.advance(1_000);
			world.open();
			expect(world.sent.flatMap((frame) => (frame.type === 'attach' ? [frame.scrollback] : []))).toEqual(requested);
		}
	});

	it('does not confirm pieces of a lost connection on the next one', async () => {
		using world = attached();
		world.bytes('ab', 'cd');
		await world.show('snapshot');
		await world.show('ab');
		world.cut();
		world.timers.advance(500);
		world.open();
		await world.show('cd');
		world.timers.advance(1_000);
		expect(world.acks()).toEqual([100]);
		world.snapshot(200);
		await world.show('snapshot');
		expect(world.acks()).toEqual([100, 200]);
	});
});

describe('waking a terminal', () => {
	it.each(['pong', 'bytes'])('keeps a connection on which %s arrives', (answer) => {
		using world = attached();
		world.client.wake();
		expect(world.pings()).toBe(1);
		world.timers.advance(2_999);
		if (answer === 'pong') world.frame({ type: 'pong' });
		else world.bytes('ab');
		world.timers.advance(10_000);
		expect(world.opened()).toBe(1);
		expect(world.lost).toEqual([]);
	});

	it('reopens a dead connection after 3 seconds', () => {
		using world = attached();
		world.client.wake();
		world.timers.advance(2_999);
		expect(world.opened()).toBe(1);
		world.timers.advance(1);
		expect(world.opened()).toBe(2);
		expect(world.stillOpen()).toBe(1);
		expect(world.lost).toEqual(['The runner has gone silent.']);
		world.open();
		world.timers.advance(10_000);
		expect(world.opened()).toBe(2);
	});

	it('reopens at once while it waits for the next attempt', () => {
		using world = attached();
		world.cut();
		world.client.wake();
		expect(world.opened()).toBe(2);
		world.timers.advance(10_000);
		expect(world.opened()).toBe(2);
	});

	it('sends one ping and opens one socket however often it is called', () => {
		using world = attached();
		wakeOften(world.client);
		expect(world.pings()).toBe(1);
		world.timers.advance(3_000);
		expect(world.opened()).toBe(2);
		world.cut();
		wakeOften(world.client);
		expect(world.opened()).toBe(3);
	});

	it('sends nothing on a socket that is not open yet, and replaces it after 3 seconds', () => {
		using world = createWorld();
		world.client.wake();
		expect(world.sent).toEqual([]);
		world.timers.advance(3_000);
		expect(world.opened()).toBe(2);
	});

	it('keeps a socket that opens in time', () => {
		using world = createWorld();
		world.client.wake();
		world.timers.advance(2_999);
		world.open();
		world.timers.advance(10_000);
		expect(world.opened()).toBe(1);
	});

	it('reopens at once if the connection ends before the answer', () => {
		using world = attached();
		world.client.wake();
		world.cut();
		world.timers.advance(0);
		expect(world.opened()).toBe(2);
	});

	it('does nothing after closing', () => {
		const world = attached();
		world.client.wake();
		world.client[Symbol.dispose]();
		expect(world.timers.waiting()).toBe(0);
		wakeOften(world.client);
		world.timers.advance(60_000);
		expect(world.opened()).toBe(1);
		expect(world.pings()).toBe(1);
	});

	it('does nothing after closing while it waits for the next attempt', () => {
		const world = attached();
		world.cut();
		world.client[Symbol.dispose]();
		wakeOften(world.client);
		expect(world.opened()).toBe(1);
	});
});

function attached() {
	const world = createWorld();
	world.open();
	world.snapshot(100);
	return world;
}

type Line = {
	open: () => void;
	text: (text: string) => void;
	bytes: (bytes: Uint8Array) => void;
	closed: (reason: string) => void;
	isClosed: boolean;
};

function createWorld(over: Pick<TerminalClientDeps, 'scrollback' | 'laterScrollback'> = {}) {
	const timers = createManualTimers();
	const sent: TerminalClientFrame[] = [];
	const lines: Line[] = [];
	const handedOn: string[] = [];
	const lost: string[] = [];
	const shown = new Map<string, () => void>();

	function openSocket(): TerminalSocket {
		const line: Line = { open: () => {}, text: () => {}, bytes: () => {}, closed: () => {}, isClosed: false };
		lines.push(line);
		return {
			sendText: (text) => sent.push(terminalClientFrame.parse(JSON.parse(text))),
			sendBytes: () => {},
			close: () => {
				line.isClosed = true;
			},
			onOpen: (handler) => {
				line.open = handler;
			},
			onText: (handler) => {
				line.text = handler;
			},
			onBytes: (handler) => {
				line.bytes = handler;
			},
			onClose: (handler) => {
				line.closed = handler;
			},
		};
	}

	function handOn(name: string): Promise<void> {
		handedOn.push(name);
		const { promise, resolve } = Promise.withResolvers<void>();
		shown.set(name, resolve);
		return promise;
	}

	const client = createTerminalClient({
		openSocket,
		want: 'view',
		size: SIZE,
		timers,
		random: () => 0,
		...over,
		window: {
			snapshot: () => handOn('snapshot'),
			bytes: (bytes) => handOn(new TextDecoder().decode(bytes)),
			attached: () => {},
			control: () => {},
			resized: () => {},
			refused: () => {},
			lost: (reason) => lost.push(reason),
			ended: () => {},
		},
	});
	const frame = (each: TerminalServerFrame) => lines.at(-1)?.text(JSON.stringify(each));
	const bytes = (...texts: string[]) => {
		for (const text of texts) lines.at(-1)?.bytes(new TextEncoder().encode(text));
	};
	return {
		timers,
		client,
		sent,
		handedOn,
		lost,
		frame,
		bytes,
		opened: () => lines.length,
		stillOpen: () => lines.filter(({ isClosed }) => !isClosed).length,
		open: () => lines.at(-1)?.open(),
		cut: () => lines.at(-1)?.closed('cut'),
		acks: () => sent.flatMap((each) => (each.type === 'ack' ? [each.position] : [])),
		pings: () => sent.filter(({ type }) => type === 'ping').length,
		snapshot(position: number) {
			frame({ type: 'snapshot', position, bytes: 4, ...SIZE });
			bytes('scrn');
		},
		/** Every continuation has run once this resolves. */
		async show(name: string) {
			shown.get(name)?.();
			await new Promise((resolve) => setImmediate(resolve));
		},
		[Symbol.dispose]: () => client[Symbol.dispose](),
	};
}

function wakeOften({ wake }: { wake(): void }): void {
	for (let times = 0; times < 5; times += 1) wake();
}
