// Roost's own tmux server: its sessions outlive the runner. Spoken to by argv and by scripts on its standard input only.
import { statSync } from 'node:fs';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TerminalEnd, TerminalProgram, TerminalSize } from '../terminal-process.ts';
import {
	askTmux,
	findTmux,
	isEndUnread,
	nudgeTmux,
	runTmux,
	serverWords,
	type TmuxPlace,
	tellTmux,
	tmuxEnv,
	toEnd,
} from './run-tmux.ts';
import { createTmuxPane, type TmuxPane } from './tmux-pane.ts';
import { isTmuxName, serverOptions, toSessionWords, toTmuxLine, toTmuxTarget } from './tmux-words.ts';

export type Tmux = {
	/** Refuses a name that is taken. */
	create(name: string, program: TerminalProgram): Promise<Result<TmuxTerminal>>;
	list(): Promise<Result<readonly TmuxTerminal[]>>;
	/** Null where there is none of that name. */
	read(name: string): Promise<Result<TmuxTerminal | null>>;
	/** The screen as plain text, or what scrolled away above it, with its colours. */
	capture(name: string, what: 'screen' | 'history'): Promise<Result<string>>;
	/** Types the text as it is: no key names, no shell; the program need not be watched by anybody. */
	sendText(name: string, text: string): Promise<Result<void>>;
	/** The session of exactly that name; fine where it is gone already. */
	remove(name: string): Promise<Result<void>>;
	/** For whoever works with the program as a person would; refuses what is no name. */
	pane(name: string): Result<TmuxPane>;
	/** What has to be run in a terminal to see the session and to type into it. */
	attachment(name: string): Result<Attachment>;
};

export type TmuxTerminal = {
	name: string;
	/** Of the program itself. */
	pid: number;
	size: TerminalSize;
	/** How many lines have scrolled away and are kept. */
	historyLines: number;
	/** Set once the program has ended; the session is kept until somebody has read this. */
	end?: TerminalEnd | undefined;
};

export type Attachment = {
	file: string;
	args: string[];
	env: Record<string, string>;
	/** How many bytes the server has written to the client with this pid; null while it has none such. */
	written(clientPid: number): Promise<number | null>;
};

export type TmuxOptions = {
	/** Whose PATH is searched for tmux; nothing else of it reaches the server. */
	env: NodeJS.ProcessEnv;
	/** From `tmuxSocket`. */
	socketPath: string;
	scrollbackLines: number;
};

/** Fails with what to install where tmux is missing or too old. */
export async function openTmux({ env, socketPath, scrollbackLines }: TmuxOptions): Promise<Result<Tmux>> {
	const found = await findTmux(env);
	return found.ok ? ok(createTmux({ file: found.value, socketPath }, scrollbackLines)) : found;
}

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
		const found = await find();
		if (!found.ok || !isEndUnread(found.value)) return found;
		const nudged = await nudgeTmux(place);
		return nudged.ok ? await find() : found;
	};
	// One after the other: whoever is done lets the server end with its last session.
	let lastCreated: Promise<unknown> = Promise.resolve();
	return {
		list,
		read,
		create(name, program) {
			const createNext = () => createOne({ place, scrollbackLines, name, program }, read);
			const created = lastCreated.then(createNext, createNext);
			lastCreated = created;
			return created;
		},
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
			return line.ok ? await tellTmux(place, ['source-file', '-'], line.value) : line;
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
			return ok({ file: place.file, args: words, env: tmuxEnv(), written: (clientPid) => readWritten(place, clientPid) });
		},
	};
}

type Creation = { place: TmuxPlace; scrollbackLines: number; name: string; program: TerminalProgram };

async function createOne(creation: Creation, read: Tmux['read']): Promise<Result<TmuxTerminal>> {
	const { name } = creation;
	const before = await read(name);
	if (!before.ok) return before;
	if (before.value) return err(new AppError('conflict', `There is a terminal called ${name} already; choose another name.`));
	const created = await createSession(creation);
	if (!created.ok) return created;
	const started = await read(name);
	if (!started.ok) return started;
	return started.value ? ok(started.value) : err(new AppError('internal', `tmux lost the terminal ${name} at once.`));
}

/** The server ends with its last session, so it is held until it has this one. */
async function createSession({ place, scrollbackLines, name, program }: Creation): Promise<Result<void>> {
	const checked = checkProgram(program);
	if (!checked.ok) return checked;
	const variables = await askTmux(place, ['set-option', '-s', 'exit-empty', 'off', ';', 'show-environment', '-g']);
	if (!variables.ok) return variables;
	const script = toScript([
		...serverOptions(scrollbackLines),
		toSessionWords(name, program, variables.value.split('\n').flatMap(parseVariable)),
	]);
	const created = script.ok ? await tellTmux(place, ['source-file', '-'], script.value) : script;
	const letGo = await tellTmux(place, ['set-option', '-s', 'exit-empty', 'on']);
	return created.ok ? letGo : created;
}

function toScript(commands: readonly (readonly string[])[]): Result<string> {
	let script = '';
	for (const words of commands) {
		const line = toTmuxLine(words);
		if (!line.ok) return line;
		script += line.value;
	}
	return ok(script);
}

/** tmux itself would start the program in another directory, and `env` would take such a program for a variable. */
function checkProgram({ argv, cwd }: TerminalProgram): Result<void> {
	if (!isDirectory(cwd)) return err(new AppError('bad_request', `${cwd} is not a directory. Choose an existing one.`));
	if (argv[0] === '' || argv[0].startsWith('-') || argv[0].includes('='))
		return err(new AppError('bad_request', `${JSON.stringify(argv[0])} cannot be run in tmux; give the program another path.`));
	return ok(undefined);
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		// Whatever hinders us from looking would hinder the program from being there.
		return false;
	}
}

function parseVariable(line: string): string[] {
	const name = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(line)?.[1];
	return name === undefined ? [] : [name];
}

async function readWritten(place: TmuxPlace, clientPid: number): Promise<number | null> {
	const clients = await runTmux(place, ['list-clients', '-F', '#{client_pid} #{client_written}']);
	const found = clients.ok ? clients.value.split('\n').find((line) => line.startsWith(`${clientPid} `)) : undefined;
	return found === undefined ? null : Number(found.split(' ')[1]);
}

const PANE_FORMAT = [
	'session_name',
	'pane_pid',
	'window_width',
	'window_height',
	'history_size',
	'pane_dead',
	'pane_dead_status',
	'pane_dead_signal',
]
	.map((name) => `#{${name}}`)
	.join(',');

/** Sessions of other names are not ours. */
function parsePane(line: string): TmuxTerminal[] {
	const [name = '', pid, cols, rows, historyLines, dead, status, signal] = line.split(',');
	if (!isTmuxName(name)) return [];
	return [
		{
			name,
			pid: Number(pid),
			size: { cols: Number(cols), rows: Number(rows) },
			historyLines: Number(historyLines),
			end: toEnd(dead, status, signal),
		},
	];
}
