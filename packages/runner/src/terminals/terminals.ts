// The terminals of a runner: opened, listed, attached and closed here. Those of a session are facts of its feed.
import type { Fact } from '@roost/core/feed/mapper';
import type { TerminalScreens } from '@roost/gateway/operations/backend';
import { findProjectOf } from '@roost/home/project';
import type { TerminalEnd, TerminalProcess, TerminalProgram } from '@roost/machine/terminal-process';
import type { Timers } from '@roost/machine/timers';
import { type OpenTerminal, TERMINAL_PROTOCOL, type TerminalRow } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import { type SessionId, type TerminalId, terminalId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import type { Projects } from '../record/projects.ts';
import { openRecording, type Recording } from './recording.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import type { KeptTerminals } from './tmux-terminals.ts';

export type Terminals = AsyncDisposable &
	TerminalScreens & {
		/** Including those that ended recently. */
		list(): TerminalRow[];
		open(body: OpenTerminal): Promise<Result<TerminalRow>>;
		close(id: TerminalId): Promise<Result<void>>;
		start(request: StartTerminal): Promise<Result<TerminalRow>>;
		adopt(request: AdoptTerminal): TerminalRow;
		/** The screen of a session's running terminal; null if there is none. */
		screenOf(id: SessionId): TerminalScreen | null;
		readScreen(id: TerminalId): Promise<readonly string[]>;
		pidOf(id: SessionId): number | undefined;
		running(): number;
		onEnd(handler: (row: TerminalRow) => void): () => void;
	};

export type TerminalScreen = { lines: readonly string[]; openedAt: number };

export type StartTerminal = {
	program: TerminalProgram;
	sessionId?: SessionId | undefined;
	title?: string | undefined;
	recording?: boolean | undefined;
};

export type AdoptTerminal = Omit<StartTerminal, 'recording'> & {
	id: TerminalId;
	process: TerminalProcess;
	recordedSince?: number | undefined;
};

/** Starts a program in a bare PTY or in tmux. */
export type OpenProcess = (
	id: TerminalId,
	program: TerminalProgram,
) => Result<TerminalProcess> | Promise<Result<TerminalProcess>>;

export type TerminalsDeps = {
	openProcess: OpenProcess;
	folderOf: Projects['folderOf'];
	shellIn: (cwd: string) => TerminalProgram;
	/** False if there is no such session. */
	note: (id: SessionId, fact: Fact) => boolean;
	/** Files of terminals that outlive the runner. */
	kept?: Pick<KeptTerminals, 'keep' | 'forget'> | undefined;
	scrollbackLines: number;
	recordings: string;
	newId: () => string;
	now: () => number;
	timers: Timers;
	warn: (sentence: string) => void;
};

const MOST_TERMINALS = 64;
const MOST_VIEWERS = 32;
/** How long an ended terminal can still be viewed. */
const LINGER_MS = 60_000;

type Kept = { terminal: Terminal; process: TerminalProcess; row: Omit<TerminalRow, 'cols' | 'rows' | 'viewers'> };

export function createTerminals(deps: TerminalsDeps): Terminals {
	const kept = new Map<TerminalId, Kept>();
	const handlers = new Set<(row: TerminalRow) => void>();
	const lingering = new Set<() => void>();
	let closing = false;
	let opening = 0;

	function rowOf({ row, terminal }: Kept): TerminalRow {
		return { ...row, ...terminal.size(), viewers: terminal.viewers() };
	}

	async function start({ program, sessionId, title, recording }: StartTerminal): Promise<Result<TerminalRow>> {
		if (closing || running() + opening >= MOST_TERMINALS) return tooMany(MOST_TERMINALS, 'terminals');
		const id = terminalId.parse(deps.newId());
		const named = title ?? program.argv.join(' ');
		const recorded = recording ? record({ id, program, title: named }) : ok(undefined);
		if (!recorded.ok) return recorded;
		opening++;
		const process = await deps.openProcess(id, program);
		opening--;
		if (process.ok) return ok(show({ id, process: process.value, program, sessionId, title: named }, recorded.value));
		recorded.value?.[Symbol.dispose]();
		return process;
	}

	function record(of: Pick<AdoptTerminal, 'id' | 'program' | 'title' | 'recordedSince'>): Result<Recording> {
		const { id, program, title = '', recordedSince: since } = of;
		const { recordings: directory, now, warn } = deps;
		return openRecording({ directory, id, size: program.size, title, since, now, warn });
	}

	function adopt(request: AdoptTerminal): TerminalRow {
		const recorded = request.recordedSince === undefined ? ok(undefined) : record(request);
		if (!recorded.ok) deps.warn(`terminal ${request.id} is no longer recorded: ${recorded.error.message}`);
		return show(request, recorded.ok ? recorded.value : undefined);
	}

	function show({ id, process, program, sessionId, title }: AdoptTerminal, recording: Recording | undefined): TerminalRow {
		const { scrollbackLines, timers, newId } = deps;
		const { size, cwd } = program;
		const terminal = createTerminal({ process, size, scrollbackLines, timers, newLease: newId, recording });
		const one: Kept = {
			terminal,
			process,
			row: {
				id,
				sessionId: sessionId ?? null,
				title: title ?? program.argv.join(' '),
				cwd,
				openedAt: deps.now(),
				state: 'running',
				exitCode: null,
				recording: recording?.path ?? null,
			},
		};
		kept.set(id, one);
		keep(one, recording?.startedAt);
		note(one, { kind: 'terminal.open', data: { terminal_id: id, ...size } });
		void terminal.ended.then((end) => noteEnd(one, end));
		return rowOf(one);
	}

	function keep({ row: { id, sessionId, title, cwd }, terminal }: Kept, recordedSince: number | undefined): void {
		const written = deps.kept?.keep({ id, sessionId, title, cwd, size: terminal.size(), recordedSince });
		if (written && !written.ok) deps.warn(`terminal ${id} will not be found by the next runner: ${written.error.message}`);
	}

	function noteEnd(one: Kept, end: TerminalEnd): void {
		const { exitCode } = end;
		one.row = { ...one.row, state: 'ended', exitCode: exitCode ?? null };
		if (!end.isLost) deps.kept?.forget(one.row.id);
		note(one, { kind: 'terminal.close', data: { terminal_id: one.row.id, exit_code: exitCode, reason: toReason(end) } });
		if (end.isLost) deps.warn(`terminal ${one.row.id} is unreachable; the next runner tries again`);
		for (const handler of handlers) handler(rowOf(one));
		if (closing) return;
		const cancel = deps.timers.after(LINGER_MS, () => {
			lingering.delete(cancel);
			forget(one);
		});
		lingering.add(cancel);
	}

	function forget(one: Kept): void {
		kept.delete(one.row.id);
		one.terminal[Symbol.dispose]();
	}

	function note({ row }: Kept, fact: Fact): void {
		if (row.sessionId === null || deps.note(row.sessionId, fact)) return;
		deps.warn(`${fact.kind} of terminal ${row.id} was not recorded: there is no session ${row.sessionId}`);
	}

	function runningFor(id: SessionId): Kept | undefined {
		return [...kept.values()].find(({ row }) => row.sessionId === id && row.state === 'running');
	}

	function running(): number {
		return [...kept.values()].filter(({ row }) => row.state === 'running').length;
	}

	return {
		start,
		adopt,
		running,
		list: () => [...kept.values()].map(rowOf),
		readScreen: async (id) => (await kept.get(id)?.terminal.readLines()) ?? [],
		pidOf: (id) => runningFor(id)?.process.pid,
		screenOf(id) {
			const one = runningFor(id);
			return one ? { lines: one.terminal.lines(), openedAt: one.row.openedAt } : null;
		},
		async open({ projectId, cwd: given, size, title, recording }) {
			const folder = given === undefined ? deps.folderOf(projectId) : ok(given);
			if (!folder.ok) return folder;
			const project = await findProjectOf(folder.value);
			if (!project.ok) return project;
			const shell = deps.shellIn(folder.value);
			return await start({ program: { ...shell, size: size ?? shell.size }, title, recording });
		},
		async close(id) {
			const one = kept.get(id);
			if (!one) return noTerminal(id);
			await one.process.kill();
			await one.terminal.ended;
			// Also an unreachable one.
			deps.kept?.forget(id);
			return ok(undefined);
		},
		attach(id, request, sink) {
			const one = kept.get(id);
			if (!one) return noTerminal(id);
			if (one.terminal.viewers() >= MOST_VIEWERS) return tooMany(MOST_VIEWERS, 'viewers');
			const attached = { type: 'attached', protocol: TERMINAL_PROTOCOL } as const;
			return ok(one.terminal.attach(request, sink, (control) => ({ ...attached, terminal: rowOf(one), control })));
		},
		onEnd(handler) {
			handlers.add(handler);
			return () => handlers.delete(handler);
		},
		async [Symbol.asyncDispose]() {
			closing = true;
			for (const cancel of lingering) cancel();
			await Promise.all([...kept.values()].map(({ process }) => process.release()));
			for (const one of [...kept.values()]) forget(one);
		},
	};
}

function toReason({ signal, isLost }: TerminalEnd): string {
	if (isLost) return 'unreachable; the program may still run';
	return signal === undefined ? 'the program ended' : `the program was ended by signal ${signal}`;
}

function noTerminal(id: TerminalId): Result<never> {
	return err(new AppError('not_found', `Terminal "${id}" not found. GET /api/v1/terminals lists terminals.`));
}

function tooMany(most: number, what: 'terminals' | 'viewers'): Result<never> {
	return err(new AppError('store_busy', `Limit of ${most} ${what} reached. Close one first.`));
}
