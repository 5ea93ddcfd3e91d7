// Roost's own tmux server: its sessions outlive the runner. Controlled by argv and by scripts on stdin only.
import { statSync } from 'node:fs';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { createInTurn } from '../in-turn.ts';
import { isTaken } from '../process-identity.ts';
import type { TerminalEnd, TerminalProgram, TerminalSize } from '../terminal-process.ts';
import {
	askTmux,
	findTmux,
	isEndUnread,
	isTmuxName,
	nudgeTmux,
	reportTmux,
	runTmux,
	serverOptions,
	serverWords,
	type TmuxPlace,
	tmuxEnv,
	toEnd,
	toSessionWords,
	toTmuxLine,
	toTmuxTarget,
} from './run-tmux.ts';

export type Tmux = {
	/** Rejects a name that is in use. */
	create(name: string, program: TerminalProgram): Promise<Result<TmuxTerminal>>;
	list(): Promise<Result<readonly TmuxTerminal[]>>;
	/** Null if there is none of that name. */
	read(name: string): Promise<Result<TmuxTerminal | null>>;
	/** The screen as plain text, or the scrollback above it with colours. */
	capture(name: string, what: 'screen' | 'history'): Promise<Result<string>>;
	/** Types the literal text: no key names, no shell. */
	sendText(name: string, text: string): Promise<Result<void>>;
	/** Succeeds if the session is already gone. */
	remove(name: string): Promise<Result<void>>;
	/** To use the program as a person would. */
	pane(name: string): Result<TmuxPane>;
	/** The command that attaches to the session. */
	attachment(name: string): Result<Attachment>;
};

export type TmuxTerminal = {
	name: string;
	pid: number;
	size: TerminalSize;
	/** Lines in the scrollback. */
	historyLines: number;
	/**
	 * Set once the program has ended; the session is kept until it is removed. tmux drops output that it has not read
	 * when it notices the exit, mostly of a program that ends right after its start.
	 */
	end?: TerminalEnd | undefined;
};

export type Attachment = {
	file: string;
	args: string[];
	env: Record<string, string>;
	/** Bytes that the server has written to the client with this pid; null if there is no such client. */
	written(clientPid: number): Promise<number | null>;
	/** Asks the server to draw the whole screen of this client again. */
	redraw(clientPid: number): Promise<void>;
};

/** Only the PATH of `env` is used, to find tmux. The error says what to install. */
export async function openTmux(options: {
	env: NodeJS.ProcessEnv;
	socketPath: string;
	scrollbackLines: number;
}): Promise<Result<Tmux>> {
	const { env, socketPath, scrollbackLines } = options;
	const found = await findTmux(env);
	return found.ok ? ok(createTmux({ file: found.value, socketPath }, scrollbackLines)) : found;
}

/** How long a program may take to exit once its terminal is closed. It may also go on without one. */
const LONGEST_EXIT_MS = 5_000;

function createTmux(place: TmuxPlace, scrollbackLines: number): Tmux {
	const list = async (): Promise<Result<readonly TmuxTerminal[]>> => {
		const shown = await askTmux(place, ['list-sessions', '-F', PANE_FORMAT]);
		return shown.ok ? ok(shown.value.split('\n').flatMap(parsePane)) : shown;
	};
	const read = async (name: string): Promise<Result<TmuxTerminal | null>> => {
		const target = toTmuxTarget(name);
		if (!target.ok) return target;
		const find = async () => {
			const all = await list();
			return all.ok ? ok(all.value.find((terminal) => terminal.name === name) ?? null) : all;
		};
		let found = await find();
		for (const deadline = performance.now() + LONGEST_EXIT_MS; found.ok && found.value && isEndUnread(found.value); ) {
			// While tmux has not reaped it, it may still be exiting. Afterwards this is all that tmux knows.
			const mayChange = isTaken(found.value.pid) && performance.now() < deadline;
			const nudged = await nudgeTmux(place);
			if (nudged.ok) found = await find();
			if (!nudged.ok || !mayChange) break;
		}
		return found;
	};
	// One at a time: each creation ends by letting the server exit with its last session.
	const inTurn = createInTurn<'create'>();
	return {
		list,
		read,
		create: (name, program) => inTurn('create', () => createOne({ place, scrollbackLines, name, program }, read)),
		async capture(name, what) {
			const target = toTmuxTarget(name);
			if (!target.ok) return target;
			const range = what === 'history' ? ['-e', '-S', '-', '-E', '-1'] : [];
			return await runTmux(place, ['capture-pane', '-p', ...range, '-t', target.value]);
		},
		async sendText(name, text) {
			const target = toTmuxTarget(name);
			if (!target.ok) return target;
			const line = toTmuxLine(['send-keys', '-l', '-t', target.value, '--', text]);
			return line.ok ? await reportTmux(place, ['source-file', '-'], line.value) : line;
		},
		async remove(name) {
			const target = toTmuxTarget(name);
			if (!target.ok) return target;
			const removed = await runTmux(place, ['kill-session', '-t', target.value]);
			if (removed.ok) return ok(undefined);
			const left = await read(name);
			return left.ok && left.value === null ? ok(undefined) : removed;
		},
		pane: (name) => createTmuxPane(place, name),
		attachment(name) {
			const target = toTmuxTarget(name);
			if (!target.ok) return target;
			const words = ['-u', ...serverWords(place), 'attach-session', '-t', target.value];
			return ok({
				file: place.file,
				args: words,
				env: tmuxEnv(),
				written: async (clientPid) => (await readClient(place, clientPid))?.written ?? null,
				async redraw(clientPid) {
					const found = await readClient(place, clientPid);
					if (found) await runTmux(place, ['refresh-client', '-t', found.name]);
				},
			});
		},
	};
}

type Creation = { place: TmuxPlace; scrollbackLines: number; name: string; program: TerminalProgram };

async function createOne(creation: Creation, read: Tmux['read']): Promise<Result<TmuxTerminal>> {
	const { name } = creation;
	const before = await read(name);
	if (!before.ok) return before;
	if (before.value) return err(new AppError('conflict', `A terminal named "${name}" already exists. Choose another name.`));
	const created = await createSession(creation);
	if (!created.ok) return created;
	const started = await read(name);
	if (!started.ok) return started;
	return started.value ? ok(started.value) : err(new AppError('internal', `The terminal "${name}" ended right after its start.`));
}

/** The server exits with its last session, so `exit-empty` is off until it has this one. */
async function createSession({ place, scrollbackLines, name, program }: Creation): Promise<Result<void>> {
	const checked = checkProgram(program);
	if (!checked.ok) return checked;
	const variables = await askTmux(place, ['set-option', '-s', 'exit-empty', 'off', ';', 'show-environment', '-g']);
	if (!variables.ok) return variables;
	const script = toScript([
		...serverOptions(scrollbackLines),
		toSessionWords(name, program, variables.value.split('\n').flatMap(parseVariable)),
	]);
	const created = script.ok ? await reportTmux(place, ['source-file', '-'], script.value) : script;
	const restored = await reportTmux(place, ['set-option', '-s', 'exit-empty', 'on']);
	return created.ok ? restored : created;
}

function toScript(commands: readonly (readonly string[])[]): Result<string> {
	const lines = commands.map(toTmuxLine);
	return lines.find((line) => !line.ok) ?? ok(lines.map((line) => (line.ok ? line.value : '')).join(''));
}

/** tmux would silently use another directory, and `env` would read such a program as a variable. */
function checkProgram({ argv, cwd }: TerminalProgram): Result<void> {
	if (!isDirectory(cwd)) return err(new AppError('bad_request', `${cwd} is not a directory. Choose an existing one.`));
	if (argv[0] === '' || argv[0].startsWith('-') || argv[0].includes('='))
		return err(
			new AppError('bad_request', `${JSON.stringify(argv[0])} cannot be run in tmux. Use another path for the program.`),
		);
	return ok(undefined);
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Not accessible for the program either.
		return false;
	}
}

function parseVariable(line: string): string[] {
	const name = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(line)?.[1];
	return name === undefined ? [] : [name];
}

async function readClient(place: TmuxPlace, clientPid: number): Promise<{ name: string; written: number } | undefined> {
	const clients = await runTmux(place, ['list-clients', '-F', '#{client_pid} #{client_written} #{client_name}']);
	const found = clients.ok ? clients.value.split('\n').find((line) => line.startsWith(`${clientPid} `)) : undefined;
	const [, written, name] = found?.split(' ') ?? [];
	return written === undefined || name === undefined ? undefined : { name, written: Number(written) };
}

const END_FORMAT = '#{pane_dead},#{pane_dead_status},#{pane_dead_signal}';
const PANE_FORMAT = `#{session_name},#{pane_pid},#{window_width},#{window_height},#{history_size},${END_FORMAT}`;

/** Ignores sessions with names that Roost does not use. */
function parsePane(line: string): TmuxTerminal[] {
	const [name = '', pid, cols, rows, historyLines, dead, status, signal] = line.split(',');
	if (!isTmuxName(name)) return [];
	const size = { cols: Number(cols), rows: Number(rows) };
	return [{ name, pid: Number(pid), size, historyLines: Number(historyLines), end: toEnd(dead, status, signal) }];
}

export type TmuxPane = {
	/** Null if the session is gone. */
	look(): Promise<Result<PaneLook | null>>;
	/** By tmux's key name: `Enter`, `Down`, `C-c`, `2`. */
	press(key: string): Promise<Result<void>>;
	/** As a bracketed paste, so that a line break does not submit it. */
	paste(text: string): Promise<Result<void>>;
};

/** The screen at one moment, and the end of its program. */
export type PaneLook = { screen: string; end?: TerminalEnd | undefined };

function createTmuxPane(place: TmuxPlace, name: string): Result<TmuxPane> {
	const target = toTmuxTarget(name);
	if (!target.ok) return target;
	const to = ['-t', target.value] as const;

	async function isGone(): Promise<boolean> {
		const names = await runTmux(place, ['list-sessions', '-F', '#{session_name}']);
		// Without a server there is no session; a server that does not answer may still have it.
		return names.ok ? !names.value.split('\n').includes(name) : names.error.code !== 'timed_out';
	}

	async function lookOnce(): Promise<Result<PaneLook | null>> {
		const seen = await runTmux(place, ['display-message', '-p', ...to, END_FORMAT, ';', 'capture-pane', '-p', ...to]);
		if (!seen.ok) return (await isGone()) ? ok(null) : seen;
		return ok(parseLook(seen.value));
	}

	return ok({
		async look() {
			const seen = await lookOnce();
			if (!seen.ok || !isEndUnread(seen.value)) return seen;
			const nudged = await nudgeTmux(place);
			return nudged.ok ? await lookOnce() : seen;
		},
		async press(key) {
			if (!KEY.test(key)) return err(new AppError('bad_request', `${JSON.stringify(key)} is not a terminal key.`));
			return await reportTmux(place, ['send-keys', ...to, '--', key]);
		},
		async paste(text) {
			if (text.includes('\0')) return err(new AppError('bad_request', 'A terminal does not accept zero bytes. Remove them.'));
			const buffer = ['-b', `roost-${name}`] as const;
			const words = ['load-buffer', ...buffer, '-', ';', 'paste-buffer', '-dpr', ...buffer, ...to];
			return await reportTmux(place, words, text);
		},
	});
}

/** A key name or one plain character, with modifiers; nothing that tmux or a shell would interpret. */
const KEY = /^(?:[CMS]-)*(?:[A-Za-z][A-Za-z0-9]*|[0-9])$/;

function parseLook(seen: string): PaneLook {
	const at = seen.indexOf('\n');
	const [dead, status, signal] = seen.slice(0, at).split(',');
	return { screen: seen.slice(at + 1), end: toEnd(dead, status, signal) };
}
