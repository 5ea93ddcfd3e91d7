// How frames are written: one line of JSON, and behind a batch its stored lines as they are, one per line.
import type { HubFrame, RunnerFrame } from './link-frames.ts';

/** A stored line has no newline. */
export function toFrameText(frame: RunnerFrame | HubFrame, lines: readonly string[] = []): string {
	return [JSON.stringify(frame), ...lines].join('\n');
}

/** `head`: undefined where it is not JSON; its schema is checked by the reader. */
export function splitFrameText(text: string): { head: unknown; lines: string[] } {
	const [head = '', ...lines] = text.split('\n');
	try {
		return { head: JSON.parse(head), lines };
	} catch {
		return { head: undefined, lines };
	}
}
