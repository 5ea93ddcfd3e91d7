// The state of a terminal in words; none while it is in your control.
import { controlWords, endedWords } from '@roost/core/views/terminal-words';
import { assertNever } from '@roost/protocol/assert-never';
import type { Shown } from './shown.ts';

/** A line that comes and goes at once would only flicker. */
const QUIET_MS = 400;

export function shownWords({ state, since, holder, over, endedUnseen }: Shown, now: number): string {
	switch (state) {
		case 'connecting':
			return now - since < QUIET_MS ? '' : 'Connecting…';
		case 'live':
			return holder === 'you' ? '' : `View only: ${controlWords(holder)}.`;
		case 'reconnecting':
			return `Reconnecting since ${new Date(since).toLocaleTimeString()}. Keys are not sent.`;
		case 'ended':
			if (over?.type === 'closed') return `The program ${endedWords(over)}.`;
			return endedUnseen && over?.error.code === 'not_found' ? ENDED_UNSEEN : (over?.error.message ?? '');
		default:
			return assertNever(state);
	}
}

const ENDED_UNSEEN =
	'The program ended while the connection was lost, for example with the runner. With pty.useTmux, terminals outlive the runner.';
