import type { TerminalEnd } from '@roost/machine/terminal-process';
import type { TerminalServerFrame } from '@roost/protocol/api/terminals';
import { createManualTimers } from '@roost/testkit/rigs/manual-timers';
import { createTerminalLook } from '@roost/testkit/rigs/terminal/terminal-look';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { createTerminal } from './terminal.ts';

const SIZE = { cols: 80, rows: 24 };

/** A terminal whose program is played by the test. */
function openTerminal() {
	const timers = createManualTimers();
	let write = (_bytes: Buffer) => {};
	let end = (_how: TerminalEnd) => {};
	let isPaused = false;
	const terminal = createTerminal({
		size: SIZE,
		scrollbackLines: 100,
		timers,
		newLease: () => 'lease',
		process: {
			pid: 1,
			write: () => {},
			resize: () => {},
			pause: () => {
				isPaused = true;
			},
			resume: () => {
				isPaused = false;
			},
			onBytes(handler) {
				write = handler;
				return () => {};
			},
			onExit(handler) {
				end = handler;
				return () => {};
			},
			kill: async () => {},
			release: async () => {},
		},
	});
	return {
		timers,
		isPaused: () => isPaused,
		write(text: string) {
			const bytes = Buffer.from(text);
			write(bytes);
			// Like a real one, which reads into the same memory again.
			bytes.fill('?');
		},
		end: () => end({ exitCode: 0 }),
		/** After everything is read. */
		screen: () => terminal.readLines(),
		attach() {
			const frames: TerminalServerFrame[] = [];
			const bytes: Buffer[] = [];
			const sink = {
				frame: (frame: TerminalServerFrame) => frames.push(frame),
				bytes: (piece: Buffer) => bytes.push(Buffer.from(piece)),
				end: () => {},
			};
			const viewer = terminal.attach({ ...SIZE, want: 'view' }, sink, () => ({ type: 'pong' }));
			return { frames, bytes, viewer };
		},
		[Symbol.dispose]: () => terminal[Symbol.dispose](),
	};
}

type Attached = ReturnType<ReturnType<typeof openTerminal>['attach']>;

/** The lines on the screen of a viewer that received these bytes. */
async function linesOf({ bytes }: Attached): Promise<string[]> {
	using look = createTerminalLook(SIZE);
	await look.write(Buffer.concat(bytes));
	return look.lines().filter((line) => line !== '');
}

describe('viewer that attaches during an image', () => {
	const START = `before\r\n\x1bPq${'~'.repeat(100_000)}`;

	it('sees the screen at the end of the image, and each later byte once', async () => {
		using terminal = openTerminal();
		terminal.write(START);
		await terminal.screen();
		const attached = terminal.attach();
		expect(terminal.isPaused()).toBe(false);
		terminal.write(`${'~'.repeat(50_000)}\x1b\\after\r\n`);
		await waitFor(() => attached.frames.find(({ type }) => type === 'snapshot'), { what: 'a snapshot' });
		terminal.write('and on\r\n');
		terminal.end();
		expect(attached.frames.at(-1)).toMatchObject({ type: 'closed' });
		expect(await linesOf(attached)).toEqual(['before', 'after', 'and on']);
		expect(Buffer.concat(attached.bytes).toString()).not.toContain('~');
	});

	it('does not wait forever if the image has no end', async () => {
		using terminal = openTerminal();
		terminal.write(START);
		await terminal.screen();
		const attached = terminal.attach();
		terminal.timers.advance(500);
		await waitFor(() => attached.frames.find(({ type }) => type === 'snapshot'), { what: 'a snapshot' });
		terminal.write('~~~\x1b\\after\r\n');
		terminal.end();
		expect(await linesOf(attached)).toEqual(['before', 'after']);
	});
});

describe('viewer whose snapshot is being taken', () => {
	it('receives later output after the snapshot', async () => {
		using terminal = openTerminal();
		terminal.write('before\r\n');
		const attached = terminal.attach();
		await Promise.resolve();
		expect(terminal.isPaused()).toBe(true);
		terminal.write('during\r\n');
		await waitFor(() => attached.frames.find(({ type }) => type === 'snapshot'), { what: 'a snapshot' });
		expect(await linesOf(attached)).toEqual(['before', 'during']);
	});
});

describe('viewer during a change of size', () => {
	it('learns the last size, at whatever time of its snapshot it changes', async () => {
		for (let turns = 0; turns < 12; turns++) {
			using terminal = openTerminal();
			const { frames, viewer } = terminal.attach();
			viewer.take();
			for (let turn = 0; turn < turns; turn++) await Promise.resolve();
			viewer.resize({ cols: 100, rows: 30 });
			await terminal.screen();
			await waitFor(() => frames.find(({ type }) => type === 'snapshot'), { what: 'a snapshot' });
			const sizes = frames.flatMap((frame) => (frame.type === 'snapshot' || frame.type === 'resized' ? [frame] : []));
			expect(sizes.at(-1), `after ${turns} turns`).toMatchObject({ cols: 100, rows: 30 });
		}
	});
});
