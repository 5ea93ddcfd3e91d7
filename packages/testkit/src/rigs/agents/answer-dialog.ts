// Presses a key until an agent's dialog takes it: in its first moments a dialog takes no keys.
import type { TmuxSession } from '../terminal/tmux-rig.ts';
import { waitFor } from '../wait-for.ts';

/** Only a lost key is pressed again: a slow agent would take the second one for something else. */
const LOST_KEY_MS = 3_000;

export async function answerDialog(
	terminal: Pick<TmuxSession, 'key' | 'screen'>,
	key: string,
	isOpen: () => Promise<boolean>,
	deadlineMs: number,
): Promise<void> {
	let pressedAt = Number.NEGATIVE_INFINITY;
	const taken = async () => {
		if (!(await isOpen())) return true;
		if (performance.now() - pressedAt < LOST_KEY_MS) return undefined;
		await terminal.key(key);
		pressedAt = performance.now();
		return undefined;
	};
	await waitFor(taken, { deadlineMs, everyMs: 100, what: `the dialog to take ${key}`, seen: () => terminal.screen() });
}
