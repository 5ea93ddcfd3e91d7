// Which dialogs were answered at a start: each once for each time it appears, and not for ever.
import { msForKey, type TuiLimits } from './tui-clock.ts';
import { withoutMotion } from './tui-screen.ts';

export type Dialogs = {
	/** What to do about a dialog that is on the screen now. */
	see(screen: string, now: number): 'wait' | 'press' | 'stuck' | 'returns';
	/** There is none on the screen now. */
	none(): void;
};

export function createDialogs(limits: TuiLimits): Dialogs {
	const answered = new Map<string, number>();
	let keys = 0;
	let shown: { dialog: string; since: number; presses: number } | undefined;

	/** Only one that was answered can come back: before that it is still being drawn. */
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
		see(screen, now) {
			const dialog = withoutMotion(screen);
			if (shown?.dialog !== dialog) return appear(dialog, now);
			const due = shown.presses === 0 ? limits.calmMs : msForKey(limits, shown.presses);
			if (now - shown.since < due) return 'wait';
			return shown.presses >= limits.mostPresses ? 'stuck' : press(shown, now);
		},
		none() {
			shown = undefined;
		},
	};
}
