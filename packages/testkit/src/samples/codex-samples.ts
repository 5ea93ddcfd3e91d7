// What the real Codex wrote: screens, hook payloads and a conversation.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./codex/', import.meta.url);

/** By name, such as `tui-0-trust`. */
export function readCodexScreens(): Readonly<Record<string, string>> {
	const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
	return Object.fromEntries(names.map((name) => [name.replace('.txt', ''), readFileSync(new URL(name, folder), 'utf8')]));
}

/** Two calls of a model. */
export const CODEX_ROLLOUT = fileURLToPath(new URL('rollout-session.jsonl', folder));

export function readCodexHookPayloads(): readonly unknown[] {
	const lines = readFileSync(new URL('hook-payloads.jsonl', folder), 'utf8').trim().split('\n');
	return lines.map((line): unknown => JSON.parse(line).in);
}
