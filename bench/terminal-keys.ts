// Latency for users: the echo of a key through a terminal of the runner against a plain PTY, and how soon Ctrl-C ends a flood.
import { setTimeout as delay } from 'node:timers/promises';
import type { RawTerminal } from '@roost/testkit/rigs/api/raw-terminal';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { type BarePty, openBarePty } from '@roost/testkit/rigs/terminal/bare-pty';
import type { BenchRow } from './bench-row.ts';
import { SHELL_ENV, startTerminalRunner } from './terminal-process.ts';
import { quantile, timed } from './timing.ts';

const KEYS = 300;
/** Allowed on top of a plain PTY. */
const MOST_MS = 1.5;
const FLOODS = 7;
const FLOOD_BYTES = 2_000_000;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startTerminalRunner(home.path);
	await using terminal = await runner.attach(await runner.openShell());
	await terminal.shows('ready> ');
	using bare = openBarePty(home.path, SHELL_ENV);
	const bareTyping = listen(bare);
	const typing = { next: terminal.next, write: terminal.type };
	const floor: number[] = [];
	const value: number[] = [];
	for (let key = 0; key < KEYS; key++) {
		await delay(2);
		floor.push(await echo(bareTyping));
		value.push(await echo(typing));
	}
	return [...echoRows(floor, value), await measureInterrupt(terminal)];
}

type Typing = { next(): Promise<void>; write(keys: string): void };

export function listen(pty: BarePty): Typing {
	const waiting: (() => void)[] = [];
	pty.onBytes(() => {
		for (const resolve of waiting.splice(0)) resolve();
	});
	return { next: () => new Promise((resolve) => waiting.push(resolve)), write: pty.write };
}

export async function echo({ next, write }: Typing): Promise<number> {
	return await timed(async () => {
		const echoed = next();
		write('k');
		await echoed;
	});
}

function echoRows(floor: readonly number[], value: readonly number[]): BenchRow[] {
	return [0.5, 0.99].map((share) => {
		const floorValue = quantile(floor, share);
		const ms = quantile(value, share);
		return {
			bar: `keystroke echo, p${share * 100}`,
			floor: 'the same key in a plain PTY',
			floorValue,
			value: ms,
			unit: 'ms',
			ratio: ms / floorValue,
			target: `<= ${MOST_MS} ms more`,
			met: ms - floorValue <= MOST_MS,
		};
	});
}

async function measureInterrupt(terminal: RawTerminal): Promise<BenchRow> {
	const times: number[] = [];
	terminal.type('\x03');
	// A shell drops input typed while it handles an interrupt.
	await terminal.shows(/ready> $/);
	for (let round = 0; round < FLOODS; round++) {
		const before = terminal.size();
		terminal.type('yes\r');
		while (terminal.size() - before < FLOOD_BYTES) await delay(10);
		const word = `back${round}-2`;
		times.push(
			await timed(async () => {
				terminal.type(`\x03echo back${round}-$((1 + 1))\r`);
				await terminal.shows(word);
			}),
		);
	}
	const value = quantile(times, 0.5);
	return {
		bar: 'Ctrl-C in a flood, until the next command responds',
		floor: 'perceived as immediate',
		floorValue: 250,
		value,
		unit: 'ms',
		ratio: value / 250,
		target: '<= 250 ms',
		met: value <= 250,
	};
}
