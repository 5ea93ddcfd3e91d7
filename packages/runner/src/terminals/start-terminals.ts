// What a runner opens terminals with: wiring only.
import { realTimers } from '@roost/agents/timers';
import type { Engine } from '../engine/engine.ts';
import type { Foundations } from '../foundations.ts';
import { newShortId } from '../short-id.ts';
import { openPty } from './open-pty.ts';
import { shellProgram } from './shell-program.ts';
import { createTerminals, type Terminals } from './terminals.ts';

export function startTerminals(deps: {
	foundations: Pick<Foundations, 'config' | 'home'>;
	engine: Engine;
	env: NodeJS.ProcessEnv;
	warn: (sentence: string) => void;
}): Terminals {
	const { config, home } = deps.foundations;
	return createTerminals({
		openProcess: (_id, program) => openPty(program),
		shellIn: (cwd) => shellProgram({ shell: config.pty.shell, cwd, env: deps.env }),
		note: deps.engine.note,
		scrollbackLines: config.pty.scrollbackLines,
		recordings: home.recordings,
		newId: newShortId,
		now: Date.now,
		timers: realTimers,
		warn: deps.warn,
	});
}
