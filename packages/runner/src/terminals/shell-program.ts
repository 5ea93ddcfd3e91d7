// The user's own shell as a program: their environment, without what belongs to Roost or to the terminal the runner was started in.
import { onlySet, withoutRoost } from '@roost/core/runtime/child-environment';
import type { TerminalProgram } from '@roost/machine/terminal-process';

/** Terminals start at this size until somebody with a window comes. */
const USUAL_SIZE = { cols: 120, rows: 40 } as const;

/** Of another terminal. */
const LEFT_OUT = /^(TMUX|STY$|WINDOW$|WINDOWID$|TERMCAP$|COLUMNS$|LINES$|TERM_|VTE_VERSION$|KITTY_|ITERM_)/;

export function shellProgram({ shell, cwd, env }: { shell: string; cwd: string; env: NodeJS.ProcessEnv }): TerminalProgram {
	const kept = Object.entries(onlySet(withoutRoost(env))).filter(([name]) => !LEFT_OUT.test(name));
	return {
		argv: [shell],
		cwd,
		env: { ...Object.fromEntries(kept), TERM: 'xterm-256color', COLORTERM: 'truecolor' },
		size: USUAL_SIZE,
	};
}
