// tmux commands: quoting, targets, the options of our server, and the start of a program.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TerminalProgram } from '../terminal-process.ts';

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
export const TERM_INSIDE = 'screen-256color';

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
