// Terminals inside tmux, for users who want them to outlive the runner. Tmux is looked for when the first one is opened.
import { openTmuxTerminal, reopenTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux, type Tmux } from '@roost/machine/tmux/tmux';
import type { Result } from '@roost/protocol/result';
import type { KeptTerminals } from './kept-terminals.ts';
import type { OpenProcess, Terminals } from './terminals.ts';
import { tmuxSocket } from './tmux-socket.ts';

export type TmuxTerminals = {
	/** Fails with what to install where there is no tmux; everything else works without it. */
	readonly openProcess: OpenProcess;
	/** Takes up those that an earlier runner left. One that is gone is forgotten, one that cannot be reached is left to the next runner. */
	takeUp(terminals: Pick<Terminals, 'adopt'>): Promise<void>;
};

export function createTmuxTerminals(deps: {
	runDir: string;
	socketPath: string | undefined;
	scrollbackLines: number;
	env: NodeJS.ProcessEnv;
	kept: KeptTerminals;
	warn: (sentence: string) => void;
}): TmuxTerminals {
	let found: Promise<Result<Tmux>> | undefined;

	async function find(): Promise<Result<Tmux>> {
		found ??= start();
		const tmux = await found;
		// It may be installed meanwhile.
		if (!tmux.ok) found = undefined;
		return tmux;
	}

	async function start(): Promise<Result<Tmux>> {
		const socketPath = tmuxSocket(deps.runDir, deps.socketPath);
		return socketPath.ok ? await openTmux({ ...deps, socketPath: socketPath.value }) : socketPath;
	}

	return {
		async openProcess(id, program) {
			const tmux = await find();
			return tmux.ok ? await openTmuxTerminal({ tmux: tmux.value, name: id, program }) : tmux;
		},
		async takeUp(terminals) {
			const left = deps.kept.readAll();
			if (left.length === 0) return;
			const tmux = await find();
			if (!tmux.ok) return deps.warn(`terminals of an earlier runner cannot be shown: ${tmux.error.message}`);
			for (const { id, sessionId, title, cwd, size, recordedSince } of left) {
				const process = await reopenTmuxTerminal({ tmux: tmux.value, name: id });
				const program = { argv: [title] as const, cwd, size, env: {} };
				const found = { id, sessionId: sessionId ?? undefined, title, program, recordedSince };
				if (process.ok) terminals.adopt({ ...found, process: process.value });
				else if (process.error.code === 'not_found') deps.kept.forget(id);
				else
					deps.warn(`terminal ${id} of an earlier runner cannot be reached, the next one looks again: ${process.error.message}`);
			}
		},
	};
}
