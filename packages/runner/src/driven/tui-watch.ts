// Polls the terminal of an agent until its screen shows an expected state; a timeout is an error with its last lines.
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentAdapter, ReadyState } from '@roost/agents/base/types';
import { steadyNow } from '@roost/machine/timers';
import type { PaneLook, TmuxPane } from '@roost/machine/tmux/tmux';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { screenEnd, withoutMotion } from './tui-screen.ts';

export type TuiDeps = {
	adapter: Pick<AgentAdapter, 'id' | 'title' | 'program' | 'detectReady' | 'requiresBeaconVerification' | 'traits'>;
	pane: TmuxPane;
	clock: TuiClock;
	limits: TuiLimits;
};

export type Seen = { screen: string; state: ReadyState };

/** The current screen; fails if the program has ended. */
export async function look({ adapter, pane }: TuiDeps): Promise<Result<Seen>> {
	const seen = await pane.look();
	if (!seen.ok) return seen;
	if (seen.value === null || seen.value.end) return err(hasEnded(adapter, seen.value));
	const { screen } = seen.value;
	return ok({ screen, state: adapter.detectReady(screen) });
}

/** Polls until `isIt` is true; undefined on timeout. */
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

/** Answers the dialogs of its start until it accepts a prompt. It must be ready twice, because screens flicker. */
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
	stuck: 'shows a dialog at its start that accepts no key',
	returns: 'repeats the same dialogs at its start',
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

/** A shell exits with 127 if the program is missing, and with 126 if it cannot be run. */
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

export type TuiClock = { now(): number; wait(ms: number): Promise<void> };

export const realTuiClock: TuiClock = { now: steadyNow, wait: async (ms) => await delay(ms) };

export const TUI_LIMITS = {
	lookEveryMs: 100,
	/** From its start until it accepts a prompt. */
	startMs: 60_000,
	turnMs: 30 * 60_000,
	/** A new dialog ignores keys at first, and a screen may not be complete. */
	calmMs: 400,
	/** A key without effect for this long is pressed again, with twice the time for the next one. */
	keyMs: 3_000,
	mostPresses: 4,
	mostReturns: 3,
	mostKeys: 30,
};

export type TuiLimits = typeof TUI_LIMITS;

/** Longer each time: a slow program would process every key later, possibly for something else. */
export function msForKey({ keyMs }: TuiLimits, presses: number): number {
	return keyMs * 2 ** (presses - 1);
}

/** Tracks the dialogs of a start: each is answered once per appearance, up to a limit. */
export function createDialogs(limits: TuiLimits) {
	const answered = new Map<string, number>();
	let keys = 0;
	let shown: { dialog: string; since: number; presses: number } | undefined;

	/** Only an answered dialog can return; before that it is still being drawn. */
	function appear(dialog: string, now: number): 'wait' | 'returns' {
		shown = { dialog, since: now, presses: 0 };
		const times = answered.get(dialog) ?? 0;
		return times >= limits.mostReturns || keys >= limits.mostKeys ? 'returns' : 'wait';
	}

	function press(showing: NonNullable<typeof shown>, now: number): 'press' {
		if (showing.presses === 0) answered.set(showing.dialog, (answered.get(showing.dialog) ?? 0) + 1);
		showing.since = now;
		showing.presses++;
		keys++;
		return 'press';
	}

	return {
		see(screen: string, now: number): 'wait' | 'press' | 'stuck' | 'returns' {
			const dialog = withoutMotion(screen);
			if (shown?.dialog !== dialog) return appear(dialog, now);
			const due = shown.presses === 0 ? limits.calmMs : msForKey(limits, shown.presses);
			if (now - shown.since < due) return 'wait';
			return shown.presses >= limits.mostPresses ? 'stuck' : press(shown, now);
		},
		none(): void {
			shown = undefined;
		},
	};
}
