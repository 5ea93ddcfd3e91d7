// Runs an agent in its own terminal in tmux: starts it, answers its dialogs, sends prompts, and ends it.
import type { AgentAdapter, SpawnOpts } from '@roost/agents/base/types';
import { createInTurn } from '@roost/machine/in-turn';
import type { TerminalSize } from '@roost/machine/terminal-process';
import { endTmuxTerminal } from '@roost/machine/tmux/open-tmux';
import type { Tmux } from '@roost/machine/tmux/tmux';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isSameApartFromMotion, isStillThere, toPasteable, type Written, whatWasWritten, whereItStands } from './tui-screen.ts';
import {
	failure,
	look,
	msForKey,
	realTuiClock,
	type Seen,
	TUI_LIMITS,
	type TuiClock,
	type TuiDeps,
	type TuiLimits,
	untilStarted,
	watch,
} from './tui-watch.ts';

type TuiState = 'loading' | 'dialog' | 'ready' | 'working' | 'gone';

export type TuiAgent = ReturnType<typeof createTuiAgent>;

export type TuiStart = {
	/** Of its tmux session: lowercase letters, digits and dashes. */
	name: string;
	spawn: SpawnOpts;
	beacon?: string | undefined;
	size?: TerminalSize | undefined;
};

export type TuiLoopDeps = {
	tmux: Tmux;
	adapter: AgentAdapter;
	clock?: TuiClock | undefined;
	limits?: Partial<TuiLimits> | undefined;
};

/** Wide enough for agents to draw everything. */
const SIZE: TerminalSize = { cols: 120, rows: 40 };

/** Resolves when it is ready and has its first prompt. Ends the agent if that fails. */
export async function openTui(
	{ tmux, adapter, clock = realTuiClock, limits }: TuiLoopDeps,
	start: TuiStart,
): Promise<Result<TuiAgent>> {
	if (!adapter.traits.hasTerminal) return err(new AppError('bad_request', `${adapter.title} does not run in a terminal.`));
	const { name } = start;
	const pane = tmux.pane(name);
	if (!pane.ok) return pane;
	const created = await tmux.create(name, toProgram(adapter, start));
	if (!created.ok) return created;
	const deps: TuiDeps = { adapter, pane: pane.value, clock, limits: { ...TUI_LIMITS, ...limits } };
	const agent = createTuiAgent(deps, name, () => endTmuxTerminal({ tmux, name }));
	const started = await untilStarted(deps);
	const begun = started.ok && start.beacon !== undefined ? await agent.prompt(start.beacon) : started;
	if (begun.ok) return ok(agent);
	const ended = await agent.kill();
	return ended.ok
		? begun
		: err(new AppError(begun.error.code, `${begun.error.message} It could not be ended: ${ended.error.message}`));
}

function createTuiAgent(deps: TuiDeps, name: string, end: () => Promise<Result<void>>) {
	const { adapter, limits } = deps;
	const inTurn = createInTurn<'prompt'>();
	let prompts = 0;
	let taken = 0;

	/** Fails if it exits or takes too long. */
	async function untilReady(limitMs = limits.turnMs): Promise<Result<void>> {
		let last = '';
		let ready = 0;
		const found = await watch(deps, limitMs, ({ screen, state }) => {
			last = screen;
			ready = state.phase === 'ready' ? ready + 1 : 0;
			return ready === 2;
		});
		if (!found.ok) return found;
		const why = `is not ready for the next prompt after ${Math.round(limitMs / 1000)} seconds`;
		return found.value ? ok(undefined) : err(failure(adapter, why, last, 'timed_out'));
	}

	async function prompt(text: string): Promise<Result<void>> {
		const ready = await untilReady();
		if (!ready.ok) return ready;
		const before = taken;
		const delivered = await deliver(deps, { text, isFirst: prompts === 0, isTaken: () => taken > before });
		if (delivered.ok) prompts++;
		return delivered;
	}

	return {
		name,
		async state(): Promise<Result<TuiState>> {
			const seen = await deps.pane.look();
			if (!seen.ok) return seen;
			if (seen.value === null || seen.value.end) return ok('gone');
			const { phase } = adapter.detectReady(seen.value.screen);
			// After the first prompt, loading means working.
			return ok(phase === 'loading' && prompts > 0 ? 'working' : phase);
		},
		/** Waits until it is ready and sends the prompt. Prompts are sent one after the other. */
		prompt: (text: string) => inTurn('prompt', () => prompt(text)),
		/** The agent itself reported that it got a prompt. */
		noteTaken(): void {
			taken++;
		},
		untilReady,
		kill: end,
		async [Symbol.asyncDispose]() {
			await end();
		},
	};
}

/** The adapter quotes the command; the shell only replaces itself with the agent. */
function toProgram(adapter: AgentAdapter, { spawn, size = SIZE }: TuiStart) {
	const argv = ['/bin/sh', '-c', `exec ${adapter.buildSpawnCommand(spawn)}`] as const;
	return { argv, cwd: spawn.cwd, env: { ...spawn.env, ...spawn.deployed?.env }, size };
}

/** `isTaken`: the agent reported the prompt by a hook or in a transcript. */
async function deliver(
	deps: TuiDeps,
	{ text, isFirst, isTaken }: { text: string; isFirst: boolean; isTaken: () => boolean },
): Promise<Result<void>> {
	const plain = toPasteable(text);
	if (plain === null) return err(new AppError('bad_request', 'The prompt is empty.'));
	const { adapter, pane } = deps;
	const verifies = isFirst && adapter.traits.verifiesBeacon && adapter.requiresBeaconVerification?.() === true;
	const shown = await pasteUntilShown(deps, { text: plain, verifies, isFirst });
	if (!shown.ok) return shown;
	const sent = await pane.press('Enter');
	return sent.ok ? await pressUntilTaken(deps, { shown: shown.value, isTaken, verifies }) : sent;
}

/** The rows of the pasted prompt, and the phase of the screen with it: some agents are ready only with an empty line. */
type Shown = { written: Written; phase: Seen['state']['phase'] };

/** Pastes again if nothing of the text is shown. */
async function pasteUntilShown(
	deps: TuiDeps,
	{ text, verifies, isFirst }: { text: string; verifies: boolean; isFirst: boolean },
): Promise<Result<Shown>> {
	const { pane, limits, adapter } = deps;
	for (let pastes = 1; ; pastes++) {
		const before = await look(deps);
		if (!before.ok) return before;
		const standing = pastes > 1 ? whereItStands(before.value.screen, text) : NOWHERE;
		if (standing.size > 0) return ok({ written: standing, phase: before.value.state.phase });
		const pasted = await pane.paste(text);
		if (!pasted.ok) return pasted;
		let last = before.value;
		const shown = await watch(deps, msForKey(limits, pastes), (seen) => {
			const isCalm =
				isSameApartFromMotion(seen.screen, last.screen) && whatWasWritten(before.value.screen, seen.screen, text).size > 0;
			last = seen;
			return isCalm || isLateDialog(seen, isFirst);
		});
		if (!shown.ok) return shown;
		if (isLateDialog(last, isFirst)) {
			const started = await untilStarted(deps);
			if (!started.ok) return started;
		} else if (shown.value || !verifies)
			return ok({ written: whatWasWritten(before.value.screen, last.screen, text), phase: last.state.phase });
		if (pastes >= limits.mostPresses) return err(failure(adapter, 'does not show pasted text', last.screen, 'agent_failed'));
	}
}

const NOWHERE: Written = new Map();

/** A dialog of its start that appeared late: Enter would answer it. */
function isLateDialog({ state }: Seen, isFirst: boolean): boolean {
	return isFirst && state.phase === 'dialog';
}

/** Presses Enter again only while the prompt is unchanged: a new dialog would take it as an answer. */
async function pressUntilTaken(
	deps: TuiDeps,
	{ shown, isTaken, verifies }: { shown: Shown; isTaken: () => boolean; verifies: boolean },
): Promise<Result<void>> {
	const { pane, limits, adapter } = deps;
	for (let presses = 1; ; presses++) {
		let last = '';
		const taken = await watch(deps, msForKey(limits, presses), ({ screen, state }) => {
			last = screen;
			return isTaken() || state.phase !== shown.phase || !isStillThere(shown.written, screen);
		});
		if (!taken.ok) return taken;
		if (taken.value || !verifies) return ok(undefined);
		if (presses >= limits.mostPresses) return err(failure(adapter, 'does not accept the prompt', last, 'agent_failed'));
		const pressed = await pane.press('Enter');
		if (!pressed.ok) return pressed;
	}
}
