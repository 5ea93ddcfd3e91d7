// Terminals inside tmux, which outlive the runner, and the files by which the next runner finds them.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookSocketPath } from '@roost/agents/hooks/socket-listener';
import { onlySet, withoutRoost } from '@roost/core/runtime/child-environment';
import { newShortId } from '@roost/home/short-id';
import { openPty } from '@roost/machine/open-pty';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import type { TerminalProcess, TerminalProgram } from '@roost/machine/terminal-process';
import { realTimers } from '@roost/machine/timers';
import { openTmuxTerminal, reopenTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux, type Tmux } from '@roost/machine/tmux/tmux';
import { terminalSize } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { sessionId, type TerminalId, terminalId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { Foundations } from '../record/foundations.ts';
import type { Projects } from '../record/projects.ts';
import { createTerminals, type Terminals } from './terminals.ts';

function createTmuxTerminals(deps: {
	runDir: string;
	socketPath: string | undefined;
	scrollbackLines: number;
	env: NodeJS.ProcessEnv;
	kept: KeptTerminals;
	warn: (sentence: string) => void;
}) {
	let found: Promise<Result<Tmux>> | undefined;

	/** Opened with the first terminal, and again after a failure: tmux may be installed later. */
	async function find(): Promise<Result<Tmux>> {
		found ??= start();
		const tmux = await found;
		if (!tmux.ok) found = undefined;
		return tmux;
	}

	async function start(): Promise<Result<Tmux>> {
		const socketPath = tmuxSocket(deps.runDir, deps.socketPath);
		return socketPath.ok ? await openTmux({ ...deps, socketPath: socketPath.value }) : socketPath;
	}

	return {
		async openProcess(id: TerminalId, program: TerminalProgram): Promise<Result<TerminalProcess>> {
			const tmux = await find();
			return tmux.ok ? await openTmuxTerminal({ tmux: tmux.value, name: id, program }) : tmux;
		},
		/** Reopens the terminals of an earlier runner. Forgets those that are gone; leaves unreachable ones to the next runner. */
		async reopenAll(terminals: Pick<Terminals, 'adopt'>): Promise<void> {
			const left = deps.kept.readAll();
			if (left.length === 0) return;
			const tmux = await find();
			if (!tmux.ok) return deps.warn(`terminals of an earlier runner cannot be reopened: ${tmux.error.message}`);
			for (const { id, sessionId, title, cwd, size, recordedSince } of left) {
				const process = await reopenTmuxTerminal({ tmux: tmux.value, name: id });
				const program = { argv: [title] as const, cwd, size, env: {} };
				const found = { id, sessionId: sessionId ?? undefined, title, program, recordedSince };
				if (process.ok) terminals.adopt({ ...found, process: process.value });
				else if (process.error.code === 'not_found') deps.kept.forget(id);
				else
					deps.warn(`terminal ${id} of an earlier runner is unreachable; the next runner tries again: ${process.error.message}`);
			}
		},
	};
}

const keptTerminal = z.object({
	id: terminalId,
	sessionId: sessionId.nullable(),
	title: z.string(),
	cwd: z.string().min(1),
	size: terminalSize,
	recordedSince: z.number().optional(),
});
export type KeptTerminal = z.infer<typeof keptTerminal>;

export type KeptTerminals = {
	keep(terminal: KeptTerminal): Result<void>;
	forget(id: TerminalId): void;
	/** Removes malformed files. */
	readAll(): KeptTerminal[];
};

const NAME = /^terminal-([a-z0-9-]{1,32})\.json$/;

export function createKeptTerminals(runDir: string): KeptTerminals {
	const pathOf = (id: string) => join(runDir, `terminal-${id}.json`);

	function read(id: string | undefined): KeptTerminal | null {
		if (id === undefined) return null;
		const found = keptTerminal.safeParse(readPrivateJson(pathOf(id))).data;
		if (found?.id === id) return found;
		rmSync(pathOf(id), { force: true });
		return null;
	}

	return {
		keep: (terminal) => replacePrivateFile(pathOf(terminal.id), `${JSON.stringify(terminal)}\n`),
		forget: (id) => rmSync(pathOf(id), { force: true }),
		readAll: () => readdirSync(runDir).flatMap((name) => read(NAME.exec(name)?.[1]) ?? []),
	};
}

const LONGEST_BYTES = 103;
const WRITABLE_BY_OTHERS = 0o022;

/** `pty.tmuxSocketPath` of config.yaml, otherwise a path in the run directory. */
export function tmuxSocket(runDir: string, configured?: string): Result<string> {
	if (configured === undefined) return hookSocketPath(runDir, 'tmux');
	if (Buffer.byteLength(configured) > LONGEST_BYTES)
		return unsafe(configured, `is longer than ${LONGEST_BYTES} bytes, the limit of a socket path`);
	const why = whyUnsafe(dirname(configured));
	return why === null ? ok(configured) : unsafe(configured, why);
}

/** A user who can write there could put another server in place of ours. */
function whyUnsafe(directory: string): string | null {
	try {
		const found = lstatSync(directory);
		if (!found.isDirectory()) return 'is not in a directory';
		if (process.getuid && found.uid !== process.getuid()) return 'is in a directory of another user';
		return (found.mode & WRITABLE_BY_OTHERS) === 0 ? null : 'is in a directory that others can write to';
	} catch {
		// Missing or not accessible.
		return 'is in a directory that does not exist';
	}
}

function unsafe(path: string, why: string): Result<never> {
	return err(
		new AppError('unsafe_path', `pty.tmuxSocketPath ${why} (${path}); choose another path in config.yaml, or remove the key.`),
	);
}

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
