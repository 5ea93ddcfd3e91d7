// Calls of the tmux program: found on the PATH, recent enough, with a time limit, a minimal environment and quoted arguments.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { toSentence } from '@roost/core/display/sentence';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { findProgram } from '../find-program.ts';
import type { TerminalEnd, TerminalProgram } from '../terminal-process.ts';

export type TmuxPlace = { file: string; socketPath: string };

const LIMIT_MS = 10_000;
const LARGEST_OUTPUT_BYTES = 64 * 1024 * 1024;
const MOST_ATTEMPTS = 4;
const PAUSE_MS = 50;
/** The first version with a session environment. */
const OLDEST = { major: 3, minor: 2 };
export const OLDEST_TMUX = `${OLDEST.major}.${OLDEST.minor}`;
const HOW_TO_GET_IT = 'Install it ("apt install tmux", "brew install tmux"), or set pty.useTmux to false in config.yaml';

const run = promisify(execFile);

/** The program's path, once its version is checked. */
export async function findTmux(env: NodeJS.ProcessEnv): Promise<Result<string>> {
	const file = findProgram('tmux', env);
	if (!file)
		return err(
			new AppError('cannot_start', `Terminals that outlive Roost need tmux, which is not on your PATH. ${HOW_TO_GET_IT}.`),
		);
	const version = await call(file, ['-V'], '');
	if (!version.ok) return version;
	if (!isRecentEnough(version.value)) {
		return err(
			new AppError('cannot_start', `${version.value.trim()} is too old: Roost needs ${OLDEST_TMUX} or later. ${HOW_TO_GET_IT}.`),
		);
	}
	return ok(file);
}

/** The argument `;` separates commands. `input` is what `source-file -` reads. */
export function runTmux(place: TmuxPlace, args: readonly string[], input = ''): Promise<Result<string>> {
	return call(place.file, [...serverWords(place), ...args], input);
}

/** For commands without output. */
export async function reportTmux(place: TmuxPlace, args: readonly string[], input?: string): Promise<Result<void>> {
	const done = await runTmux(place, args, input);
	return done.ok ? ok(undefined) : done;
}

/** Starts the server if necessary. Retries, because a server that is exiting does not answer. */
export async function askTmux(place: TmuxPlace, args: readonly string[]): Promise<Result<string>> {
	for (let attempt = 1; ; attempt++) {
		const done = await runTmux(place, ['start-server', ';', ...args]);
		if (done.ok || done.error.code === 'timed_out' || attempt === MOST_ATTEMPTS) return done;
		await delay(PAUSE_MS * attempt);
	}
}

/** From `pane_dead`, `pane_dead_status` and `pane_dead_signal`. Undefined while the program runs. */
export function toEnd(dead: string | undefined, status: string | undefined, signal: string | undefined): TerminalEnd | undefined {
	if (dead !== '1') return undefined;
	return { ...(status ? { exitCode: Number(status) } : {}), ...(signal ? { signal: Number(signal) } : {}) };
}

/** The program has ended, but its exit status is not known yet. */
export function isEndUnread(terminal: { end?: TerminalEnd | undefined } | null): boolean {
	return terminal?.end !== undefined && terminal.end.exitCode === undefined && terminal.end.signal === undefined;
}

/** tmux can miss the exit of a child; it checks all children when the next one exits. */
export function nudgeTmux(place: TmuxPlace): Promise<Result<string>> {
	return runTmux(place, ['run-shell', 'true']);
}

/** Selects the server, without the user's configuration. */
export function serverWords({ socketPath }: TmuxPlace): readonly string[] {
	return ['-S', socketPath, '-f', '/dev/null'];
}

/** The environment of every tmux we start, and of the server: no secrets. */
export function tmuxEnv(): Record<string, string> {
	return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color' };
}

/** A version without a number is a development build, and recent. */
export function isRecentEnough(version: string): boolean {
	const [, major, minor] = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(version) ?? [];
	if (major === undefined) return true;
	return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
}

async function call(file: string, args: readonly string[], input: string): Promise<Result<string>> {
	const running = run(file, args, {
		env: tmuxEnv(),
		cwd: '/',
		timeout: LIMIT_MS,
		killSignal: 'SIGKILL',
		maxBuffer: LARGEST_OUTPUT_BYTES,
	});
	// tmux may exit without reading it.
	running.child.stdin?.on('error', () => undefined);
	running.child.stdin?.end(input);
	try {
		return ok((await running).stdout);
	} catch (cause) {
		return err(toTmuxError(cause));
	}
}

function toTmuxError(cause: unknown): AppError {
	if (isFailedRun(cause) && cause.killed)
		return new AppError('timed_out', `tmux did not answer within ${LIMIT_MS / 1000} seconds.`, { cause });
	const words = isFailedRun(cause) ? cause.stderr.trim() : '';
	const why = words || (cause instanceof Error ? cause.message.split('\n')[0] : String(cause));
	return new AppError('internal', toSentence(`tmux refused: ${why}`), { cause });
}

function isFailedRun(cause: unknown): cause is { killed: boolean; stderr: string } {
	return cause instanceof Error && 'killed' in cause && 'stderr' in cause && typeof cause.stderr === 'string';
}

const NAME = /^[a-z0-9-]{1,32}$/;

export function isTmuxName(name: string): boolean {
	return NAME.test(name);
}

/** `=` matches exactly this name; tmux matches prefixes otherwise, and an empty name matches any session. */
export function toTmuxTarget(name: string): Result<string> {
	if (isTmuxName(name)) return ok(`=${name}:`);
	const allowed = 'at most 32 lowercase letters, digits and dashes';
	return err(new AppError('bad_request', `${JSON.stringify(name)} is not a valid terminal name. Use ${allowed}.`));
}

/**
 * One line of a script for `source-file`. All special characters are octal escapes, so that tmux sees no variables, key
 * names or separators, and drops no spaces.
 */
export function toTmuxLine(words: readonly string[]): Result<string> {
	if (words.some((word) => word.includes('\0')))
		return err(
			new AppError('bad_request', 'A terminal does not accept zero bytes in arguments, variables or text. Remove them.'),
		);
	return ok(`${words.map(quote).join(' ')}\n`);
}

function quote(word: string): string {
	return `"${Buffer.from(word)
		.toString('latin1')
		.replaceAll(/[^A-Za-z0-9_./-]/g, toOctal)}"`;
}

function toOctal(byte: string): string {
	return `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`;
}

/**
 * Our server draws nothing itself, handles no keys, and keeps ended sessions until they are removed.
 * `-q` ignores options that the server does not know.
 */
export function serverOptions(scrollbackLines: number): readonly (readonly string[])[] {
	return [
		...globals({
			status: 'off',
			prefix: 'None',
			prefix2: 'None',
			mouse: 'off',
			'history-limit': `${scrollbackLines}`,
			'default-shell': '/bin/sh',
			'default-terminal': TERM_INSIDE,
			'update-environment': '',
			'destroy-unattached': 'off',
			'detach-on-destroy': 'on',
			'lock-after-time': '0',
			'assume-paste-time': '0',
			'visual-bell': 'off',
			'set-titles': 'off',
			'window-size': 'latest',
			'aggressive-resize': 'off',
			'allow-rename': 'off',
			'remain-on-exit': 'on',
			'remain-on-exit-format': '',
			'monitor-activity': 'off',
			'allow-passthrough': 'off',
		}),
		['set-option', '-sq', 'escape-time', '0'],
		['set-option', '-sq', 'focus-events', 'off'],
		['set-option', '-sq', 'set-clipboard', 'off'],
		// Without an alternate screen outside, scrolled lines stay in the viewer's scrollback.
		['set-option', '-sq', 'terminal-overrides', '*:smcup@:rmcup@'],
		['set-option', '-sq', 'terminal-features', 'xterm*:RGB:ccolour:cstyle:bpaste:strikethrough:usstyle'],
		['unbind-key', '-qaT', 'root'],
		['unbind-key', '-qaT', 'prefix'],
	];
}

/** TERM of the programs inside; unlike `tmux-256color` known to every system. */
const TERM_INSIDE = 'screen-256color';

function globals(options: Readonly<Record<string, string>>): readonly (readonly string[])[] {
	return Object.entries(options).map(([name, value]) => ['set-option', '-gq', name, value]);
}

/** Variables that tmux sets for every program. */
const SET_BY_TMUX = ['TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'SHELL', 'PWD', 'PATH'];

/**
 * Values go into tmux's session environment and never into arguments, which every user of the machine can read.
 * `env` then removes the server's own variables and restores what tmux overrides (none of it is secret). TERM is
 * tmux's own. With `env` there is always more than one argument, so that tmux runs them without a shell.
 */
export function toSessionWords(name: string, program: TerminalProgram, serverVariables: readonly string[]): readonly string[] {
	const { argv, cwd, size } = program;
	const env: Record<string, string> = { ...program.env, TERM: TERM_INSIDE };
	const foreign = new Set([...serverVariables, ...SET_BY_TMUX].filter((variable) => !Object.hasOwn(env, variable)));
	const place = ['-s', name, '-x', `${size.cols}`, '-y', `${size.rows}`, '-c', cwd];
	return [
		...['new-session', '-d', ...place],
		...Object.entries(env).flatMap(([variable, value]) => ['-e', `${variable}=${value}`]),
		...['--', '/usr/bin/env'],
		...[...foreign].flatMap((variable) => ['-u', variable]),
		...SET_BY_TMUX.flatMap((variable) => (Object.hasOwn(env, variable) ? [`${variable}=${env[variable]}`] : [])),
		...argv,
	];
}
