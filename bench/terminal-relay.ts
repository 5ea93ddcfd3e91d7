// PTY relay: a flood through a terminal of the runner to a client that acknowledges it, against a plain read of the same PTY; and the cost of a client that never acknowledges.
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { openBarePty } from '@roost/testkit/rigs/terminal/bare-pty';
import type { BenchRow } from './bench-row.ts';
import { SHELL_ENV, startTerminalRunner, type TerminalRunner } from './terminal-process.ts';
import { quantile, timed } from './timing.ts';

const MEGABYTES = 33;
const ROUNDS = 5;
const DONE = 'all-2';
/** Lines of text. The final marker does not appear in the echoed command. */
const FLOOD = `head -c ${MEGABYTES}000000 /dev/zero | tr '\\0' 'x' | fold -w 78; echo all-$((1 + 1))\r`;
const DEADLINE_MS = 50_000;

export async function run(): Promise<BenchRow[]> {
	await using home = await createTempDir();
	await using runner = await startTerminalRunner(home.path);
	const floors: number[] = [];
	const values: number[] = [];
	for (let round = 0; round <= ROUNDS; round++) {
		const floor = MEGABYTES / ((await readBare(home.path)) / 1_000);
		const value = MEGABYTES / ((await relay(runner)) / 1_000);
		// The first round is a warm-up.
		if (round === 0) continue;
		floors.push(floor);
		values.push(value);
	}
	const floorValue = quantile(floors, 0.5);
	const value = quantile(values, 0.5);
	const ratio = value / floorValue;
	const floor = 'raw read of the same PTY';
	return [
		{ bar: 'PTY relay', floor, floorValue, value, unit: 'MB/s', ratio, target: '>= 0.85x', met: ratio >= 0.85 },
		await measureSilent(runner),
	];
}

async function readBare(home: string): Promise<number> {
	using pty = openBarePty(home, SHELL_ENV);
	return await timed(async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		let tail = '';
		pty.onBytes((bytes) => {
			tail = (tail + bytes.subarray(-100).toString('latin1')).slice(-100);
			if (tail.includes(DONE)) resolve();
		});
		pty.write(FLOOD);
		await within(promise);
	});
}

async function relay(runner: TerminalRunner): Promise<number> {
	await using terminal = await runner.attach(await runner.openShell());
	await terminal.frame('snapshot');
	return await timed(async () => {
		terminal.type(FLOOD);
		await terminal.shows(DONE);
	});
}

/** Beside a fast client, so that the flood is not paused. */
async function measureSilent(runner: TerminalRunner): Promise<BenchRow> {
	const shell = await runner.openShell();
	await using quick = await runner.attach(shell);
	await quick.frame('snapshot');
	const before = runner.memory();
	await using silent = await runner.attach(shell, { acks: false, want: 'view' });
	silent.pause();
	quick.type(FLOOD);
	await quick.shows(DONE);
	const after = runner.memory();
	const value = after - before;
	return {
		bar: 'PTY relay, a client that never acknowledges',
		floor: 'the runner before the flood',
		floorValue: before,
		value,
		unit: 'MB',
		ratio: after / before,
		target: '<= 32 MB more',
		met: value <= 32,
	};
}

async function within(done: Promise<void>): Promise<void> {
	const late = Promise.withResolvers<never>();
	const timer = setTimeout(() => late.reject(new Error('the flood does not end')), DEADLINE_MS);
	await Promise.race([done, late.promise]);
	clearTimeout(timer);
}
