// The real program in a real terminal: keys are typed into a PTY, and the screen is what a headless terminal makes of its bytes.
import { spawn } from '@lydell/node-pty';
import { endProcess, isRunning, signal } from '../live-processes.ts';
import { roostArgv } from '../runner/roost-cli.ts';
import { createVirtualTerminal, type VirtualTerminal } from '../terminal/virtual-terminal.ts';
import { waitFor } from '../wait-for.ts';

export type TuiRig = AsyncDisposable & {
	readonly pid: number;
	readonly terminal: VirtualTerminal;
	/** Encoded like a terminal: `KEYS` has the keys without a letter. */
	type(keys: string): void;
	screen(): string[];
	/** Resolves with the first matching screen; fails with the last one. */
	waitForScreen(fits: RegExp | ((screen: string) => boolean), deadlineMs?: number): Promise<string>;
	resize(columns: number, rows: number): void;
	/** Everything it wrote so far. */
	bytes(): string;
	signal(name: NodeJS.Signals): boolean;
	waitForExit(deadlineMs?: number): Promise<TuiExit>;
};

export type TuiExit = { readonly code: number; readonly signal: number };

export type TuiOptions = {
	readonly cwd: string;
	/** The complete environment; by default TERM is xterm-256color, LANG is UTF-8 and TZ is UTC. */
	readonly env: Readonly<Record<string, string>>;
	readonly columns?: number;
	readonly rows?: number;
	/** Arguments for roost. */
	readonly args?: readonly string[];
	/** Another program than roost. */
	readonly argv?: readonly [string, ...string[]];
};

/** What a terminal sends for keys that are no letters. */
export const KEYS = {
	up: '\x1b[A',
	down: '\x1b[B',
	right: '\x1b[C',
	left: '\x1b[D',
	home: '\x1b[H',
	end: '\x1b[F',
	pageUp: '\x1b[5~',
	pageDown: '\x1b[6~',
	delete: '\x1b[3~',
	enter: '\r',
	escape: '\x1b',
	tab: '\t',
	shiftTab: '\x1b[Z',
	altEnter: '\x1b\r',
	backspace: '\x7f',
	wheelUp: '\x1b[<64;10;10M',
	wheelDown: '\x1b[<65;10;10M',
	ctrl: (letter: string) => String.fromCharCode(letter.toUpperCase().charCodeAt(0) - 64),
	alt: (key: string) => `\x1b${key}`,
	paste: (text: string) => `\x1b[200~${text}\x1b[201~`,
} as const;

/** Generous, because the machine may be busy: only a failing test takes this long. */
const DEADLINE_MS = 120_000;

export function openTui({ cwd, env, columns = 80, rows = 24, args = [], argv = roostArgv(...args) }: TuiOptions): TuiRig {
	const terminal = createVirtualTerminal({ columns, rows });
	const [file, ...rest] = argv;
	const inside = { TERM: 'xterm-256color', LANG: 'C.UTF-8', TZ: 'UTC', ...env };
	const child = spawn(file, rest, { cols: columns, rows, cwd, env: inside, name: inside.TERM });
	let written = '';
	let exit: TuiExit | undefined;
	child.onData((bytes) => {
		written += bytes;
		terminal.write(bytes);
	});
	child.onExit(({ exitCode, signal: number = 0 }) => {
		exit = { code: exitCode, signal: number };
	});
	terminal.onReply((bytes) => {
		if (!exit) child.write(bytes);
	});

	async function end(): Promise<void> {
		if (await isRunning(child.pid)) await endProcess(child.pid);
		await waitFor(() => exit, { deadlineMs: DEADLINE_MS, what: 'the terminal to report the exit of its program' });
		terminal[Symbol.dispose]();
	}

	let ended: Promise<void> | undefined;
	return {
		pid: child.pid,
		terminal,
		type: (keys) => child.write(keys),
		screen: terminal.screen,
		async waitForScreen(fits, deadlineMs = DEADLINE_MS) {
			const isFit = typeof fits === 'function' ? fits : (text: string) => fits.test(text);
			const look = async () => {
				await terminal.settled();
				const text = terminal.text();
				return isFit(text) ? text : undefined;
			};
			return await waitFor(look, { deadlineMs, what: `a screen that fits ${String(fits)}`, seen: () => `\n${terminal.text()}` });
		},
		resize(nextColumns, nextRows) {
			terminal.resize(nextColumns, nextRows);
			child.resize(nextColumns, nextRows);
		},
		bytes: () => written,
		signal: (name) => signal(child.pid, name),
		waitForExit: (deadlineMs = DEADLINE_MS) =>
			waitFor(() => exit, { deadlineMs, what: 'the program to exit', seen: () => `\n${terminal.text()}` }),
		[Symbol.asyncDispose]() {
			ended ??= end();
			return ended;
		},
	};
}

/** Longer than the UI ignores keys after a change of the screen. */
const AGAIN_MS = 450;

export async function pressUntil(
	{ terminal, type }: Pick<TuiRig, 'terminal' | 'type'>,
	key: string,
	fits: (screen: string) => boolean,
	deadlineMs = DEADLINE_MS,
): Promise<void> {
	const pressed = async () => {
		await terminal.settled();
		if (fits(terminal.text())) return true;
		type(key);
		return undefined;
	};
	await waitFor(pressed, { deadlineMs, what: `"${key}" to take effect`, everyMs: AGAIN_MS, seen: () => `\n${terminal.text()}` });
}
