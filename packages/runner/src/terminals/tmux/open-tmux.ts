// A program in a tmux session of its own as a `TerminalProcess`: it outlives whoever opened it, and can be opened again.
import { endTree } from '@roost/machine/end-process';
import { readIdentity } from '@roost/machine/process-identity';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TerminalProcess, TerminalProgram } from '../terminal-process.ts';
import type { Tmux } from './tmux.ts';
import { watchTmux } from './watch-tmux.ts';

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
 * What had scrolled away comes first, so that whoever keeps a scrollback has it again.
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
