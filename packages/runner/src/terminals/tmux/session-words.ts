// The words that start a program in a session of its own, with exactly the environment it was given.
import type { TerminalProgram } from '../terminal-process.ts';
import { TERM_INSIDE } from './server-options.ts';

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
