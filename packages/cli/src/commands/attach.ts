// roost attach: a terminal of the runner in this one.
import { setTimeout as delay } from 'node:timers/promises';
import { createTerminalClient, type TerminalOver } from '@roost/client/terminal-client';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { controlWords, endedWords } from '@roost/core/views/terminal-words';
import { realTimers } from '@roost/machine/timers';
import type { TerminalControl, TerminalRow } from '@roost/protocol/api/terminals';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { createLastOutput, createLeaveKeys, type LastOutput, takeOwnTerminal } from '../attach/attached-terminal.ts';
import { isTerminal } from '../output/ask-yes.ts';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { connectOrStartToDecide, connectToDecide, NEARBY } from '../runner/connect.ts';
import type { Connected } from '../transport/connected.ts';

type AttachOptions = { view?: boolean; take?: boolean; new?: boolean; record?: boolean };

/** How long the greeting is shown. */
const READ_MS = 800;
const SCROLLBACK = 1_000;

export async function attach(name: string | undefined, options: AttachOptions): Promise<void> {
	checkOptions(name, options);
	// Typing into a terminal acts as its user, so agents may not.
	const connected = unwrap(
		options.new ? await connectOrStartToDecide('attach') : await connectToDecide('attach', { start: false }),
	);
	if (!connected)
		throw new AppError('not_found', 'No runner is up, so there is no terminal. Open one with "roost attach --new".');
	const terminal = unwrap(options.new ? await openShell(connected, options) : await find(connected, name ?? '', options));
	const ended = await showToEnd(connected, terminal, options);
	// Only now: another screen would receive no keys from a paused stdin.
	process.stdin.pause();
	const { id, recording } = terminal;
	if (recording !== null) say(`the recording, secrets included, is in ${sanitiseLine(recording)}`);
	const how = unwrap(ended);
	say(how === '' ? `detached; terminal ${id} keeps running. Return with "${calledAs()} attach ${id}".` : how);
}

/** Attaches from the terminal UI. The sentence says how the program ended, or how to return. */
export async function attachSession(connected: Connected, session: SessionId): Promise<Result<string>> {
	const terminal = await find(connected, session, {});
	const ended = terminal.ok ? await showToEnd(connected, terminal.value, {}) : terminal;
	return ended.ok && ended.value === '' ? ok('The session keeps running in its terminal: type :attach to return.') : ended;
}

/** Empty if the user detached and the program keeps running. */
async function showToEnd(connected: Connected, terminal: TerminalRow, options: AttachOptions): Promise<Result<string>> {
	const words = createLastOutput();
	const end = await show(connected, terminal, options, words);
	if (!end) return ok('');
	return end.type === 'failed' ? err(end.error) : ok(await endWords(end, words));
}

function checkOptions(name: string | undefined, options: AttachOptions): void {
	const problem = findProblem(name, options);
	if (problem) throw new AppError('usage', problem);
}

function findProblem(name: string | undefined, options: AttachOptions): string | undefined {
	if (!isTerminal(process)) return '"roost attach" needs a terminal.';
	if ((options.new === true) === (name !== undefined)) return 'Name a terminal or a session, or open a new one with --new.';
	const extra = (['new', 'take', 'record'] as const).find((option) => options[option]);
	return options.view && extra ? `--view cannot be combined with --${extra}.` : undefined;
}

async function openShell({ api }: Connected, { record }: AttachOptions): Promise<Result<TerminalRow>> {
	const folder = process.cwd();
	return await api.terminals.open({
		commandId: crypto.randomUUID(),
		projectId: folder,
		size: windowSize(),
		recording: record,
	});
}

async function find(connected: Connected, name: string, { view, record }: AttachOptions): Promise<Result<TerminalRow>> {
	const { api } = connected;
	const listed = await api.terminals.list();
	if (!listed.ok) return listed;
	const named = listed.value.filter(({ id, sessionId }) => id.startsWith(name) || sessionId?.startsWith(name));
	const [only, another] = named.filter(({ state }) => state === 'running');
	if (only && !another) return record && only.recording === null ? err(notRecorded(only)) : ok(only);
	if (another) return err(new AppError('usage', `"${name}" matches several terminals. Use more of the ID.`));
	const moved = view ? undefined : await moveIntoTerminal(connected, name, record);
	if (moved) return moved;
	const [ended] = named;
	if (ended) return ok(ended);
	const running = listed.value.filter(({ state }) => state === 'running').map(({ id }) => id);
	const hint = running.length > 0 ? `Running: ${running.join(', ')}` : 'Open one with "roost attach --new"';
	return err(new AppError('not_found', `Terminal "${name}" not found. ${hint}.`));
}

/** Moves a driven session into a terminal; undefined if there is no such session. */
async function moveIntoTerminal(
	{ api }: Connected,
	name: string,
	recording: boolean | undefined,
): Promise<Result<TerminalRow> | undefined> {
	const sessions = await api.record.sessions();
	if (!sessions.ok) return sessions;
	const [session, another] = sessions.value.filter(({ id, driven }) => driven && id.startsWith(name));
	if (!session || another) return undefined;
	const moved = await api.settings.switchMode({ commandId: crypto.randomUUID(), id: session.id, mode: 'pty', recording });
	if (!moved.ok) return moved;
	const listed = await api.terminals.list();
	if (!listed.ok) return listed;
	const terminal = listed.value.find(({ sessionId, state }) => sessionId === session.id && state === 'running');
	if (!terminal) return err(new AppError('not_found', `Session ${session.id} did not stay in its terminal. See its feed.`));
	say(`session ${session.id} is in a terminal now. After it ends there, a prompt takes it back.`);
	return ok(terminal);
}

/** Resolves when the program ends; undefined if the user detached. */
async function show(
	connected: Connected,
	terminal: TerminalRow,
	options: AttachOptions,
	words: LastOutput,
): Promise<TerminalOver | undefined> {
	const { stdin, stdout } = process;
	const over = Promise.withResolvers<TerminalOver | undefined>();
	say(greeting(terminal, options));
	// The program takes over the screen next.
	await delay(READ_MS);
	using own = takeOwnTerminal(stdin, stdout);
	const readKeys = createLeaveKeys();
	let takes = options.take === true;
	using client = createTerminalClient({
		openSocket: () => connected.openTerminalSocket(terminal.id),
		want: options.view ? 'view' : 'control',
		size: windowSize(),
		scrollback: SCROLLBACK,
		timers: realTimers,
		random: Math.random,
		backoff: NEARBY,
		window: {
			snapshot(bytes, size) {
				words.snapshot(bytes, size);
				own.clear();
				return own.write(bytes);
			},
			bytes(bytes) {
				words.bytes(bytes);
				return own.write(bytes);
			},
			attached: () => takes && client.take(),
			control(control) {
				if (control.holder === 'you') client.resize(windowSize());
				else if (!options.view && !takes) setTitle(controlTitle(control));
				takes = false;
			},
			resized: () => {},
			refused: () => setTitle(controlTitle({ holder: 'other' })),
			lost: (reason) => setTitle(`roost: ${reason}`),
			ended: over.resolve,
		},
	});
	const onKeys = (typed: Buffer) => {
		const { keys, wishes } = readKeys(typed);
		if (keys.length > 0 && !options.view) client.type(keys);
		if (wishes.includes('take')) client.take();
		if (wishes.includes('leave')) over.resolve(undefined);
	};
	const onResize = () => client.resize(windowSize());
	stdin.on('data', onKeys).once('end', () => over.resolve(undefined));
	stdout.on('resize', onResize);
	try {
		return await over.promise;
	} finally {
		stdin.off('data', onKeys);
		stdout.off('resize', onResize);
	}
}

function windowSize(): { cols: number; rows: number } {
	const within = (cells: number, usual: number) => Math.min(Math.max(cells || usual, 1), 1_000);
	return { cols: within(process.stdout.columns, 80), rows: within(process.stdout.rows, 24) };
}

function greeting({ id, title, recording }: TerminalRow, { view }: AttachOptions): string {
	const how = `${view ? ', view only' : ''}${recording === null ? '' : ', recorded'}`;
	return `terminal ${id} (${sanitiseLine(title)})${how}. Press Ctrl-] twice to detach; it keeps running.`;
}

/** The program owns the screen, so messages go to the window title. */
function setTitle(text: string): void {
	process.stdout.write(`\x1b]2;${sanitiseLine(text)}\x1b\\`);
}

function controlTitle({ holder }: Pick<TerminalControl, 'holder'>): string {
	return holder === 'you' ? '' : `view only: ${controlWords(holder)}. Press Ctrl-] t to take it`;
}

async function endWords(end: Extract<TerminalOver, { type: 'closed' }>, words: LastOutput): Promise<string> {
	const lines = end.exitCode ? await words.read() : [];
	return [`the terminal has ${endedWords(end)}${lines.length > 0 ? '; last output:' : '.'}`, ...lines].join('\n  ');
}

function notRecorded({ id, sessionId }: TerminalRow): AppError {
	const instead =
		sessionId === null ? 'Open another one' : `End it with "${calledAs()} sessions mode ${sessionId} sdk" and attach again`;
	return new AppError('conflict', `Terminal ${id} is running without a recording. ${instead} with --record.`);
}

function say(sentence: string): void {
	process.stderr.write(`roost: ${sentence}\n`);
}
