// Opens the terminals of a runner: wiring, and the user's shell.
import { onlySet, withoutRoost } from '@roost/core/runtime/child-environment';
import { newShortId } from '@roost/home/short-id';
import { openPty } from '@roost/machine/open-pty';
import type { TerminalProgram } from '@roost/machine/terminal-process';
import { realTimers } from '@roost/machine/timers';
import type { Engine } from '../engine/engine.ts';
import type { Foundations } from '../record/foundations.ts';
import type { Projects } from '../record/projects.ts';
import { createTerminals, type Terminals } from './terminals.ts';
import { createKeptTerminals, createTmuxTerminals } from './tmux-terminals.ts';

/** Resolves when the terminals of an earlier runner are reopened. */
export async function startTerminals(deps: {
	foundations: Pick<Foundations, 'config' | 'home'>;
	engine: Engine;
	folderOf: Projects['folderOf'];
	env: NodeJS.ProcessEnv;
	warn: (sentence: string) => void;
}): Promise<Terminals> {
	const { config, home } = deps.foundations;
	const { scrollbackLines, tmuxSocketPath: socketPath } = config.pty;
	const kept = createKeptTerminals(home.run);
	const tmux = createTmuxTerminals({ ...deps, runDir: home.run, socketPath, scrollbackLines, kept });
	const terminals = createTerminals({
		...(config.pty.useTmux ? { openProcess: tmux.openProcess, kept } : { openProcess: (_id, program) => openPty(program) }),
		folderOf: deps.folderOf,
		shellIn: (cwd) => shellProgram({ shell: config.pty.shell, cwd, env: deps.env }),
		note: deps.engine.note,
		scrollbackLines,
		recordings: home.recordings,
		newId: newShortId,
		now: Date.now,
		timers: realTimers,
		warn: deps.warn,
	});
	await tmux.reopenAll(terminals);
	return terminals;
}

/** Until a viewer sets another size. */
const USUAL_SIZE = { cols: 120, rows: 40 } as const;

/** Variables of the terminal in which the runner was started. */
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
