// A program in its own tmux session as a `TerminalProcess`: it outlives the process that opened it, and can be reopened.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { endTree } from '../end-process.ts';
import { isAlive, readIdentity } from '../process-identity.ts';
import type { TerminalEnd, TerminalProcess, TerminalProgram } from '../terminal-process.ts';
import type { Tmux, TmuxTerminal } from './tmux.ts';
import { openTmuxView } from './tmux-view.ts';

/** Rejects a name that is in use. */
export async function openTmuxTerminal(options: {
	tmux: Tmux;
	name: string;
	program: TerminalProgram;
}): Promise<Result<TerminalProcess>> {
	const { tmux, name, program } = options;
	const created = await tmux.create(name, program);
	return created.ok ? watchTmux({ tmux, terminal: created.value, history: '' }) : created;
}

/** Reopens a running program, or one that has ended, with its last screen. The scrollback comes first. */
export async function reopenTmuxTerminal(options: { tmux: Tmux; name: string }): Promise<Result<TerminalProcess>> {
	const { tmux, name } = options;
	const found = await tmux.read(name);
	if (!found.ok) return found;
	if (!found.value) return err(new AppError('not_found', `The terminal "${name}" no longer exists.`));
	// With an empty scrollback, tmux would return the first line of the screen.
	const history = found.value.historyLines > 0 ? await tmux.capture(name, 'history') : ok('');
	return history.ok ? watchTmux({ tmux, terminal: found.value, history: history.value }) : history;
}

/** Ends a program with its descendants, whether it is open or not. */
export async function endTmuxTerminal(options: { tmux: Tmux; name: string }): Promise<Result<void>> {
	const { tmux, name } = options;
	const found = await tmux.read(name);
	if (!found.ok) return found;
	const program = found.value && !found.value.end ? readIdentity(found.value.pid) : null;
	if (program) await endTree(program);
	return await tmux.remove(name);
}

const POLL_MS = 100;
/** Some systems list a zombie as alive; then only tmux knows that it ended. */
const POLLS_PER_READ = 50;
/** How long tmux may take to notice an exit. */
const NOTICE_MS = 5_000;
/** Gives up after this many detached clients in a row. */
const MOST_ATTACHES = 5;
const LASTING_MS = 1_000;

function watchTmux(watched: { tmux: Tmux; terminal: TmuxTerminal; history: string }): Result<TerminalProcess> {
	const { tmux, terminal, history } = watched;
	const { name, pid, size } = terminal;
	const attachment = tmux.attachment(name);
	if (!attachment.ok) return attachment;
	const program = terminal.end ? null : readIdentity(pid);
	const ended = Promise.withResolvers<TerminalEnd>();
	let closing: Promise<void> | undefined;
	const reportEnd = async (end: TerminalEnd) => {
		await view.settled();
		await view.close();
		ended.resolve(end);
	};
	const finish = (end: TerminalEnd) => {
		closing ??= (async () => {
			await reportEnd(end);
			// If this fails, the ended session stays listed until it is opened or ended.
			await tmux.remove(name);
		})();
		return closing;
	};
	// An unreachable program may still run: it is released, not ended.
	const giveUp = (end: TerminalEnd) => {
		closing ??= reportEnd(end);
		return closing;
	};
	const reattach = createReattach(tmux, name, { attach: () => view.attach(), giveUp });
	const view = openTmuxView({ attachment: attachment.value, size, history, onLost: () => void reattach() });
	void followProgram(tmux, terminal, () => closing !== undefined).then((end) => end && finish(end));
	return ok({
		pid,
		write: view.write,
		resize: view.resize,
		pause: view.pause,
		resume: view.resume,
		onBytes: view.onBytes,
		onExit(handler) {
			let isWanted = true;
			void ended.promise.then((end) => isWanted && handler(end));
			return () => {
				isWanted = false;
			};
		},
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

/** Null if it is closed before the program ends. */
async function followProgram(tmux: Tmux, { name, pid, end }: TmuxTerminal, isOver: () => boolean): Promise<TerminalEnd | null> {
	if (end) return end;
	for (let polls = 1; isAlive(pid); polls++) {
		if (isOver()) return null;
		await delay(POLL_MS, undefined, { ref: false });
		const found = polls % POLLS_PER_READ === 0 ? await tmux.read(name) : null;
		if (found?.ok && found.value?.end) return found.value.end;
	}
	return isOver() ? null : await readEnd(tmux, name);
}

/** Empty if the session is gone. */
async function readEnd(tmux: Tmux, name: string): Promise<TerminalEnd> {
	const deadline = performance.now() + NOTICE_MS;
	for (;;) {
		const found = await tmux.read(name);
		if (found.ok && found.value?.end) return found.value.end;
		if ((found.ok && found.value === null) || performance.now() >= deadline) return {};
		await delay(POLL_MS);
	}
}

/** After an unexpected exit of the client: it was detached, the server died, or the program ended. */
function createReattach(
	tmux: Tmux,
	name: string,
	{ attach, giveUp }: { attach: () => void; giveUp: (end: TerminalEnd) => Promise<void> },
): () => Promise<void> {
	let attachedAt = performance.now();
	let inARow = 0;
	return async () => {
		inARow = performance.now() - attachedAt > LASTING_MS ? 1 : inARow + 1;
		const found = await tmux.read(name);
		if (found.ok && found.value?.end) return;
		if (found.ok && found.value && inARow < MOST_ATTACHES) {
			// Without the time that tmux took to answer.
			attachedAt = performance.now();
			attach();
		} else await giveUp({ isLost: !found.ok || found.value !== null });
	};
}
