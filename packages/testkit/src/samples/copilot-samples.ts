// What the real Copilot showed and wrote: screens, a session's record, and what its hooks were given.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./copilot/', import.meta.url);

/** Screens by name; wide ones, and narrow ones of 80 × 24. */
export function readCopilotScreens(): ReadonlyMap<string, string> {
	const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
	return new Map(files.sort().map((file) => [file.replace('.txt', ''), readFileSync(new URL(file, folder), 'utf8')]));
}

/** Two calls to a model, each 1234 tokens in, 200 of them from the cache, and 56 out. */
export const COPILOT_SESSION_SAMPLE = fileURLToPath(new URL('session-events.jsonl', folder));

/** By the name of the event, in the order they came. */
export function readCopilotHooks(): readonly { readonly event: string; readonly payload: unknown }[] {
	const lines = readFileSync(new URL('hook-payloads.jsonl', folder), 'utf8').trim().split('\n');
	return lines.map((line) => {
		const { arg, in: payload } = JSON.parse(line);
		return { event: String(arg), payload };
	});
}
