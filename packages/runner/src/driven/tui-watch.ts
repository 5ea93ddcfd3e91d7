// Looks at the terminal of one agent until its screen says what is waited for; what it cannot say by then is a failure with its last lines.
import type { AgentAdapter, ReadyState } from '@roost/agents/base/types';
import type { PaneLook, TmuxPane } from '@roost/machine/tmux/tmux-pane';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TuiClock, TuiLimits } from './tui-clock.ts';
import { createDialogs } from './tui-dialogs.ts';
import { screenEnd } from './tui-screen.ts';

export type TuiDeps = {
	adapter: Pick<AgentAdapter, 'id' | 'title' | 'program' | 'detectReady' | 'requiresBeaconVerification' | 'traits'>;
	pane: TmuxPane;
	clock: TuiClock;
	limits: TuiLimits;
};

export type Seen = { screen: string; state: ReadyState };

/** What is on the screen now; a program that has ended is a failure that says how. */
export async function look({ adapter, pane }: TuiDeps): Promise<Result<Seen>> {
	const seen = await pane.look();
	if (!seen.ok) return seen;
	if (seen.value === null || seen.value.end) return err(hasEnded(adapter, seen.value));
	const { screen } = seen.value;
	return ok({ screen, state: adapter.detectReady(screen) });
}

/** Looks until `isIt` says so, at a bounded rate; undefined where the time is over. */
export async function watch(
	deps: TuiDeps,
	limitMs: number,
	isIt: (seen: Seen) => boolean | Promise<Result<boolean>>,
): Promise<Result<Seen | undefined>> {
	const deadline = deps.clock.now() + limitMs;
	for (;;) {
		const seen = await look(deps);
		if (!seen.ok) return seen;
		const judged = isIt(seen.value);
		const isSo = typeof judged === 'boolean' ? ok(judged) : await judged;
		if (!isSo.ok) return isSo;
		if (isSo.value) return seen;
		if (deps.clock.now() >= deadline) return ok(undefined);
		await deps.clock.wait(deps.limits.lookEveryMs);
	}
}

/** Through the dialogs of its start until it takes a prompt. Ready counts only when it is so twice: screens flicker. */
export async function untilStarted(deps: TuiDeps): Promise<Result<void>> {
	const { adapter, pane, clock, limits } = deps;
	const dialogs = createDialogs(limits);
	let ready = 0;
	let last = '';
	const started = await watch(deps, limits.startMs, async ({ screen, state }) => {
		last = screen;
		ready = state.phase === 'ready' ? ready + 1 : 0;
		if (state.phase !== 'dialog') {
			dialogs.none();
			return ok(ready === 2);
		}
		const next = dialogs.see(screen, clock.now());
		if (next === 'wait') return ok(false);
		if (next !== 'press') return err(failure(adapter, WHY[next], screen));
		const pressed = await pane.press(state.action);
		return pressed.ok ? ok(false) : pressed;
	});
	if (!started.ok) return started;
	const why = `was not ready for a prompt within ${Math.round(limits.startMs / 1000)} seconds`;
	return started.value ? ok(undefined) : err(failure(adapter, why, last, 'timed_out'));
}

const WHY = {
	stuck: 'shows a dialog at its start that takes no key',
	returns: 'shows the same dialogs again and again at its start',
} as const;

export function failure(
	{ title }: TuiDeps['adapter'],
	why: string,
	screen: string,
	code: 'cannot_start' | 'timed_out' | 'agent_failed' = 'cannot_start',
): AppError {
	const end = screenEnd(screen);
	return new AppError(code, `${title} ${why}. ${end === '' ? 'Its screen is empty.' : `Its screen ends with: ${end}`}`);
}

/** A shell that finds no program ends with 127, one that may not run it with 126. */
function hasEnded(adapter: TuiDeps['adapter'], seen: PaneLook | null): AppError {
	if (seen === null) return new AppError('agent_failed', `${adapter.title} is gone: its terminal was closed.`);
	const { exitCode, signal } = seen.end ?? {};
	if (exitCode === 127 || exitCode === 126) {
		const why = `could not be started: install it, or name its program as agents.${adapter.id}.command in config.yaml`;
		return failure(adapter, why, seen.screen);
	}
	const how = signal === undefined ? `with exit code ${exitCode ?? 'unknown'}` : `by signal ${signal}`;
	return failure(adapter, `ended ${how}`, seen.screen, 'agent_failed');
}
