// A program in a tmux session of its own as a `TerminalProcess`: it outlives the process that opened it, and can be opened again.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { endTree } from '../end-process.ts';
import { isAlive, readIdentity } from '../process-identity.ts';
import type { TerminalEnd, TerminalProcess, TerminalProgram } from '../terminal-process.ts';
import type { Tmux, TmuxTerminal } from './tmux.ts';
import { openTmuxView } from './tmux-view.ts';

/** Starts the program and shows it. A name that is taken is refused. */
export async function openTmuxTerminal(options: {
	tmux: Tmux;
	name: string;
	program: TerminalProgram;
}): Promise<Result<TerminalProcess>> {
	const { tmux, name, program } = options;
	const created = await tmux.create(name, program);
	return created.ok ? watchTmux({ tmux, terminal: created.value, history: '' }) : created;
}

/**
 * Shows a program that runs already, or that ended while nobody looked: then its last screen is shown and its end told.
 * What had scrolled away comes first, so that a viewer with a scrollback has it again.
 */
export async function reopenTmuxTerminal(options: { tmux: Tmux; name: string }): Promise<Result<TerminalProcess>> {
	const { tmux, name } = options;
	const found = await tmux.read(name);
	if (!found.ok) return found;
	if (!found.value) return err(new AppError('not_found', `There is no terminal called ${name} any more.`));
	// Where nothing scrolled away tmux would give the first line of the screen instead.
	const history = found.value.historyLines > 0 ? await tmux.capture(name, 'history') : ok('');
	return history.ok ? watchTmux({ tmux, terminal: found.value, history: history.value }) : history;
}

/** Ends a program that nobody needs to have open, with everything it started. */
export async function endTmuxTerminal(options: { tmux: Tmux; name: string }): Promise<Result<void>> {
	const { tmux, name } = options;
	const found = await tmux.read(name);
	if (!found.ok) return found;
	const program = found.value && !found.value.end ? readIdentity(found.value.pid) : null;
	if (program) await endTree(program);
	return await tmux.remove(name);
}

type Watched = { tmux: Tmux; terminal: TmuxTerminal; history: string };

const LOOK_MS = 100;
/** Where the system shows a dead process that nobody collected as a living one, only tmux knows. */
const LOOKS_PER_QUESTION = 50;
/** How long tmux may take to notice an end that we have seen. */
const NOTICE_MS = 5_000;
/** A client that is sent away that often in a row cannot be kept. */
const MOST_ATTACHES = 5;
const LASTING_MS = 1_000;

/** Passes its bytes on and finds out how its program ended. */
function watchTmux({ tmux, terminal, history }: Watched): Result<TerminalProcess> {
	const { name, pid, size } = terminal;
	const attachment = tmux.attachment(name);
	if (!attachment.ok) return attachment;
	const program = terminal.end ? null : readIdentity(pid);
	const ended = Promise.withResolvers<TerminalEnd>();
	let closing: Promise<void> | undefined;
	const tellEnd = async (end: TerminalEnd) => {
		await view.settled();
		await view.close();
		ended.resolve(end);
	};
	const finish = (end: TerminalEnd) => {
		closing ??= (async () => {
			await tellEnd(end);
			// Where this fails the ended session stays listed as such, until it is opened or ended.
			await tmux.remove(name);
		})();
		return closing;
	};
	// What cannot be shown any more may well live on: it is let go, never ended.
	const giveUp = (end: TerminalEnd) => {
		closing ??= tellEnd(end);
		return closing;
	};
	const regain = createRegaining(tmux, name, { attach: () => view.attach(), giveUp });
	const view = openTmuxView({ attachment: attachment.value, size, history, onLost: () => void regain() });
	void followProgram(tmux, terminal, () => closing !== undefined).then((end) => end && finish(end));
	return ok({
		pid,
		write: view.write,
		resize: view.resize,
		pause: view.pause,
		resume: view.resume,
		onBytes: view.onBytes,
		onExit: (handler) => tellOnce(ended.promise, handler),
		async kill() {
			if (program) await endTree(program);
			await finish(await readEnd(tmux, name));
			const removed = await tmux.remove(name);
			if (!removed.ok) throw removed.error;
		},
		async release() {
			closing ??= view.close();
			await closing;
		},
	});
}

/** Null when nobody wants to know any more. */
async function followProgram(tmux: Tmux, { name, pid, end }: TmuxTerminal, isOver: () => boolean): Promise<TerminalEnd | null> {
	if (end) return end;
	for (let looks = 1; isAlive(pid); looks++) {
		if (isOver()) return null;
		await delay(LOOK_MS, undefined, { ref: false });
		const asked = looks % LOOKS_PER_QUESTION === 0 ? await tmux.read(name) : null;
		if (asked?.ok && asked.value?.end) return asked.value.end;
	}
	return isOver() ? null : await readEnd(tmux, name);
}

/** Nothing is known of an end whose session is gone with it. */
async function readEnd(tmux: Tmux, name: string): Promise<TerminalEnd> {
	const deadline = performance.now() + NOTICE_MS;
	for (;;) {
		const found = await tmux.read(name);
		if (found.ok && found.value?.end) return found.value.end;
		if ((found.ok && found.value === null) || performance.now() >= deadline) return {};
		await delay(LOOK_MS);
	}
}

type Regaining = { attach: () => void; giveUp: (end: TerminalEnd) => Promise<void> };

/** The client is gone although nobody closed it: somebody detached it, the server died, or the program is at its end. */
function createRegaining(tmux: Tmux, name: string, { attach, giveUp }: Regaining): () => Promise<void> {
	let attachedAt = performance.now();
	let inARow = 0;
	return async () => {
		inARow = performance.now() - attachedAt > LASTING_MS ? 1 : inARow + 1;
		const found = await tmux.read(name);
		if (found.ok && found.value?.end) return;
		if (found.ok && found.value && inARow < MOST_ATTACHES) {
			// How long tmux took to answer says nothing about the client.
			attachedAt = performance.now();
			attach();
		} else await giveUp({ isLost: !found.ok || found.value !== null });
	};
}

function tellOnce(ended: Promise<TerminalEnd>, handler: (end: TerminalEnd) => void): () => void {
	let isWanted = true;
	void ended.then((end) => isWanted && handler(end));
	return () => {
		isWanted = false;
	};
}
