// What the real Pi showed and wrote: screens of three versions, and a session file.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./pi/', import.meta.url);

/** Screens, 120 × 40, by name. */
export function readPiScreens(): ReadonlyMap<string, string> {
	const files = readdirSync(folder).filter((file) => file.endsWith('.txt'));
	return new Map(files.sort().map((file) => [file.replace('.txt', ''), readFileSync(new URL(file, folder), 'utf8')]));
}

/** Two calls to a model, each 1034 tokens in, 200 from the cache, and 56 out. */
export const PI_SESSION_SAMPLE = fileURLToPath(new URL('pi73-session.jsonl', folder));

/** An extension that asks its user in every way there is. */
export const PI_ASKING_EXTENSION = fileURLToPath(new URL('asking-extension.mjs', folder));
