// Gives a prompt to an agent through its own terminal: pasted, seen to be there, sent, and seen to be gone.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { msForKey } from './tui-clock.ts';
import { isSameApartFromMotion, isStillThere, toPasteable, type Written, whatWasWritten, whereItStands } from './tui-screen.ts';
import { failure, look, type Seen, type TuiDeps, untilStarted, watch } from './tui-watch.ts';

/** `isTaken`: the agent itself has said so, by a hook or in a transcript. Only for the first prompt may the screen still be half built. */
export type Delivery = { text: string; isFirst: boolean; isTaken: () => boolean };

export async function deliver(deps: TuiDeps, { text, isFirst, isTaken }: Delivery): Promise<Result<void>> {
	const plain = toPasteable(text);
	if (plain === null) return err(new AppError('bad_request', 'A prompt needs at least one word.'));
	const { adapter, pane } = deps;
	const verifies = isFirst && adapter.traits.verifiesBeacon && adapter.requiresBeaconVerification?.() === true;
	const shown = await pasteUntilShown(deps, { text: plain, verifies, isFirst });
	if (!shown.ok) return shown;
	const sent = await pane.press('Enter');
	return sent.ok ? await pressUntilTaken(deps, { shown: shown.value, isTaken, verifies }) : sent;
}

/** Where the prompt stands, and what the screen is taken for while it stands there: some are ready only with an empty line. */
type Shown = { written: Written; phase: Seen['state']['phase'] };

type Pasting = { text: string; verifies: boolean; isFirst: boolean };

/** A text that was swallowed is pasted again, but only where nothing at all shows of it. */
async function pasteUntilShown(deps: TuiDeps, { text, verifies, isFirst }: Pasting): Promise<Result<Shown>> {
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
		if (pastes >= limits.mostPresses)
			return err(failure(adapter, 'does not show what is pasted into it', last.screen, 'agent_failed'));
	}
}

const NOWHERE: Written = new Map();

/** One of its start, which came when it had seemed ready already: the same key that sends a prompt would answer it unread. */
function isLateDialog({ state }: Seen, isFirst: boolean): boolean {
	return isFirst && state.phase === 'dialog';
}

type Sent = { shown: Shown; isTaken: () => boolean; verifies: boolean };

/** Again only while the prompt stands there untouched: in a dialog that came meanwhile the same key would be an answer. */
async function pressUntilTaken(deps: TuiDeps, { shown, isTaken, verifies }: Sent): Promise<Result<void>> {
	const { pane, limits, adapter } = deps;
	for (let presses = 1; ; presses++) {
		let last = '';
		const taken = await watch(deps, msForKey(limits, presses), ({ screen, state }) => {
			last = screen;
			return isTaken() || state.phase !== shown.phase || !isStillThere(shown.written, screen);
		});
		if (!taken.ok) return taken;
		if (taken.value || !verifies) return ok(undefined);
		if (presses >= limits.mostPresses)
			return err(failure(adapter, 'does not take the prompt that stands in it', last, 'agent_failed'));
		const pressed = await pane.press('Enter');
		if (!pressed.ok) return pressed;
	}
}
