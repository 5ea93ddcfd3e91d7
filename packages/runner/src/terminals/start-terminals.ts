// What a runner opens terminals with: wiring only.

import { newShortId } from '@roost/home/short-id';
import { openPty } from '@roost/machine/open-pty';
import { realTimers } from '@roost/machine/timers';
import type { Engine } from '../engine/engine.ts';
import type { Foundations } from '../record/foundations.ts';
import type { Projects } from '../record/projects.ts';
import { createKeptTerminals } from './kept-terminals.ts';
import { shellProgram } from './shell-program.ts';
import { createTerminals, type Terminals } from './terminals.ts';
import { createTmuxTerminals } from './tmux-terminals.ts';

/** Resolves when those that outlived an earlier runner are taken up. */
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
	await tmux.takeUp(terminals);
	return terminals;
}
