// The language of tmux: words that it reads back as exactly these bytes, targets, the options of our server, and the start of a program.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TerminalProgram } from '../terminal-process.ts';

const NAME = /^[a-z0-9-]{1,32}$/;

export function isTmuxName(name: string): boolean {
	return NAME.test(name);
}

/** `=` asks for exactly this session, where tmux would else take any that begins so; an empty name would mean any. */
export function toTmuxTarget(name: string): Result<string> {
	if (isTmuxName(name)) return ok(`=${name}:`);
	const allowed = 'small letters, digits and dashes, at most 32 of them';
	return err(new AppError('bad_request', `${JSON.stringify(name)} is no name for a terminal; it takes ${allowed}.`));
}

/**
 * One line of a script for `source-file`. Whatever could mean something is written as an octal byte, so that neither
 * variables, key names, separators nor the leading spaces that tmux drops after a line break are ever seen in it.
 */
export function toTmuxLine(words: readonly string[]): Result<string> {
	if (words.some((word) => word.includes('\0')))
		return err(new AppError('bad_request', 'A terminal takes no zero bytes in arguments, variables or text; leave them out.'));
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
 * Our server draws nothing of its own, takes no keys for itself, and keeps what ended until it was read.
 * For servers that do not know an option yet, `-q` passes over it.
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
		// Without a second screen on the outside, what scrolls away stays in the viewer's scrollback.
		['set-option', '-sq', 'terminal-overrides', '*:smcup@:rmcup@'],
		['set-option', '-sq', 'terminal-features', 'xterm*:RGB:ccolour:cstyle:bpaste:strikethrough:usstyle'],
		['unbind-key', '-qaT', 'root'],
		['unbind-key', '-qaT', 'prefix'],
	];
}

/** What programs inside are told about their terminal; known to every machine, which `tmux-256color` is not. */
export const TERM_INSIDE = 'screen-256color';

function globals(options: Readonly<Record<string, string>>): readonly (readonly string[])[] {
	return Object.entries(options).map(([name, value]) => ['set-option', '-gq', name, value]);
}

/** What tmux sets by itself for every program, over anything it was told. */
const SET_BY_TMUX = ['TMUX', 'TMUX_PANE', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'SHELL', 'PWD', 'PATH'];

/**
 * Values travel as tmux's session environment and never as arguments, where every user of the machine could read them;
 * `env` then takes away what the server has of its own and sets right what tmux sets (nothing of that is secret).
 * TERM alone is not the caller's: it says which terminal the program is in. With `env` there is always more than one
 * word, so that tmux runs them itself and no shell does.
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
