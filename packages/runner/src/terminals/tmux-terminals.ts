// Terminals inside tmux, for users who want them to outlive the runner. Tmux is looked for when the first one is opened.
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookSocketPath } from '@roost/agents/hooks/socket-path';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { openTmuxTerminal, reopenTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import { openTmux, type Tmux } from '@roost/machine/tmux/tmux';
import { terminalSize } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { sessionId, type TerminalId, terminalId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import type { OpenProcess, Terminals } from './terminals.ts';

type TmuxTerminals = {
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

const keptTerminal = z.object({
	id: terminalId,
	sessionId: sessionId.nullable(),
	title: z.string(),
	cwd: z.string().min(1),
	size: terminalSize,
	/** When its recording began, where there is one. */
	recordedSince: z.number().optional(),
});
export type KeptTerminal = z.infer<typeof keptTerminal>;

export type KeptTerminals = {
	keep(terminal: KeptTerminal): Result<void>;
	forget(id: TerminalId): void;
	/** Files that say nothing readable are removed. */
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

/** The path that config.yaml names (`pty.tmuxSocketPath`), else one in the run directory. */
export function tmuxSocket(runDir: string, configured?: string): Result<string> {
	if (configured === undefined) return hookSocketPath(runDir, 'tmux');
	if (Buffer.byteLength(configured) > LONGEST_BYTES)
		return unsafe(configured, `is longer than the ${LONGEST_BYTES} bytes that a socket may have`);
	const why = whyUnsafe(dirname(configured));
	return why === null ? ok(configured) : unsafe(configured, why);
}

/** Whoever can write there could put a server of their own in our place. */
function whyUnsafe(directory: string): string | null {
	try {
		const found = lstatSync(directory);
		if (!found.isDirectory()) return 'lies behind a link or a file';
		if (process.getuid && found.uid !== process.getuid()) return 'lies in a directory of another user';
		return (found.mode & WRITABLE_BY_OTHERS) === 0 ? null : 'lies in a directory that others can write to';
	} catch {
		// Absent or closed to us: either way no socket can be there.
		return 'lies in a directory that is not there';
	}
}

function unsafe(path: string, why: string): Result<never> {
	return err(new AppError('unsafe_path', `pty.tmuxSocketPath ${why} (${path}); name another in config.yaml, or leave it out.`));
}
