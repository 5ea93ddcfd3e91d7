// Presses a key until it counts: what has just appeared on a screen takes no key yet.
import type { TuiRig } from '../tui/tui-rig.ts';
import { waitFor } from '../wait-for.ts';

/** Longer than what appears is to be looked at before a key counts. */
const AGAIN_MS = 450;
const DEADLINE_MS = 20_000;

export async function pressUntil(
	{ terminal, type }: Pick<TuiRig, 'terminal' | 'type'>,
	key: string,
	fits: (screen: string) => boolean,
	deadlineMs = DEADLINE_MS,
): Promise<void> {
	const pressed = async () => {
		await terminal.settled();
		if (fits(terminal.text())) return true;
		type(key);
		return undefined;
	};
	await waitFor(pressed, { deadlineMs, what: `"${key}" to count`, everyMs: AGAIN_MS, seen: () => `\n${terminal.text()}` });
}
