// A real tmux server of a test's own: programs run in it as in a terminal, and the test types and reads the screen.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { endTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { toTmuxTarget } from '@roost/machine/tmux/run-tmux';
import { openTmux, type Tmux } from '@roost/machine/tmux/tmux';
import { endProcess, endProcessesWithEnv } from '../live-processes.ts';
import { startProgram } from '../program.ts';
import { createTempDir } from '../temp-dir.ts';
import { openTui, type TuiRig } from '../tui/tui-rig.ts';
import { unwrap } from '../unwrap.ts';
import { waitFor } from '../wait-for.ts';

export type TmuxRig = AsyncDisposable & {
	/** Starts a program in a session of its own; it gets this environment and nothing else. */
	start(argv: readonly [string, ...string[]], options: TmuxStart): Promise<TmuxSession>;
};

export type TmuxStart = {
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
	readonly name?: string;
	readonly cols?: number;
	readonly rows?: number;
};

export type TmuxSession = {
	readonly name: string;
	/** Of the program itself. */
	readonly pid: number;
	/** Types the text as it is: no key names, no shell. */
	type(text: string): Promise<void>;
	/** Presses one key by tmux's name for it: Enter, Escape, Up, C-c … */
	key(name: string): Promise<void>;
	screen(): Promise<string>;
	/** Whether its bell rang since it started. */
	rang(): Promise<boolean>;
	/** Resolves with the first screen that fits; fails with the last one. */
	waitForScreen(fits: RegExp | ((screen: string) => boolean), deadlineMs: number): Promise<string>;
	kill(): Promise<void>;
};

type RunTmux = (...args: readonly string[]) => Promise<string>;

/** A program that ends leaves its last screen, and the server outlives its sessions, until the rig is disposed. */
const serverSetUp = 'start-server ; set -g exit-empty off ; set -g remain-on-exit on ; set -g escape-time 0'.split(' ');

export async function createTmuxRig(): Promise<TmuxRig> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const tmux = connectTmux(temp.path);
	stack.defer(() => endProcessesWithEnv(temp.path));
	await tmux(...serverSetUp);
	const running = new Set<number>();
	stack.defer(async () => {
		await tmux('kill-server');
		await Promise.all([...running].map((pid) => endProcess(-pid)));
	});
	const owned = stack.move();
	return {
		async start(argv, options) {
			const { name = `t-${randomUUID().slice(0, 8)}` } = options;
			const target = unwrap(toTmuxTarget(name));
			const pid = await startPane(tmux, name, argv, options);
			running.add(pid);
			return {
				name,
				pid,
				...openPane(tmux, target),
				async kill() {
					await tmux('kill-session', '-t', target);
					await endProcess(-pid);
					running.delete(pid);
				},
			};
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** The socket lies in the rig's own directory, which is also how its processes are recognised. */
function connectTmux(directory: string): RunTmux {
	const socket = `roost-${randomUUID().slice(0, 8)}`;
	const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', HOME: directory, TMUX_TMPDIR: directory };
	return async (...args) => {
		await using program = await startProgram(['tmux', '-L', socket, '-f', '/dev/null', ...args], { cwd: directory, env });
		const { code, stdout, stderr } = await program.waitForExit(60_000);
		if (code !== 0) throw new Error(`tmux ${args.join(' ')} failed: ${stderr}`);
		return stdout;
	};
}

/** Given more than one argument tmux starts the program itself, without a shell; with `env -i` there always are. */
async function startPane(tmux: RunTmux, name: string, argv: readonly string[], options: TmuxStart): Promise<number> {
	const { cols = 120, rows = 40, cwd, env } = options;
	const variables = Object.entries({ TERM: 'screen-256color', ...env }).map(([key, value]) => `${key}=${value}`);
	const place = ['-s', name, '-x', `${cols}`, '-y', `${rows}`, '-c', cwd];
	const command = ['env', '-i', ...variables, ...argv].map(toTmuxArgument);
	return Number(await tmux('new-session', '-d', '-P', '-F', '#{pane_pid}', ...place, '--', ...command));
}

function openPane(tmux: RunTmux, target: string): Omit<TmuxSession, 'name' | 'pid' | 'kill'> {
	const screen = () => tmux('capture-pane', '-p', '-t', target);
	return {
		screen,
		rang: async () => (await tmux('display-message', '-p', '-t', target, '#{window_bell_flag}')).trim() === '1',
		async type(text) {
			if (text !== '') await tmux('send-keys', '-t', target, '-l', '--', toTmuxArgument(text));
		},
		async key(name) {
			await tmux('send-keys', '-t', target, '--', toTmuxArgument(name));
		},
		async waitForScreen(fits, deadlineMs) {
			const isFit = typeof fits === 'function' ? fits : (text: string) => fits.test(text);
			let last = '';
			return await waitFor(
				async () => {
					last = await screen();
					return isFit(last) ? last : undefined;
				},
				{ deadlineMs, what: `a screen that fits ${String(fits)}`, seen: () => `\n${last.trimEnd()}` },
			);
		},
	};
}

/** tmux takes a final `;` of any argument for a separator of commands, unless a backslash stands before it. */
export function toTmuxArgument(text: string): string {
	return text.endsWith(';') ? `${text.slice(0, -1)}\\;` : text;
}

export type OwnTmux = AsyncDisposable & { readonly tmux: Tmux; readonly directory: string; readonly socketPath: string };

export async function createOwnTmux(): Promise<OwnTmux> {
	await using stack = new AsyncDisposableStack();
	const temp = stack.use(await createTempDir());
	const socketPath = `${temp.path}/tmux.sock`;
	const tmux = unwrap(await openTmux({ env: process.env, socketPath, scrollbackLines: 500 }));
	stack.defer(async () => {
		for (const { name } of unwrap(await tmux.list())) unwrap(await endTmuxTerminal({ tmux, name }));
	});
	const owned = stack.move();
	return { tmux, directory: temp.path, socketPath, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The server has a socket of its own, and ends with the rig. */
export async function openTuiInTmux(argv: readonly [string, ...string[]]): Promise<TuiRig> {
	await using stack = new AsyncDisposableStack();
	const { path } = stack.use(await createTempDir());
	const env = { PATH: process.env.PATH ?? '', HOME: path };
	const tmux = ['tmux', '-S', join(path, 'socket'), '-f', '/dev/null'] as const;
	const tui = stack.use(openTui({ cwd: path, env, argv: [...tmux, 'new-session', '--', ...argv] }));
	stack.defer(async () => {
		await using end = await startProgram([...tmux, 'kill-server'], { cwd: path, env });
		await end.waitForExit(60_000);
	});
	const owned = stack.move();
	return { ...tui, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
