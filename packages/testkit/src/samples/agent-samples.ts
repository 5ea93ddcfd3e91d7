// Recorded screens, hook payloads, sessions and ACP messages of real agents other than Claude.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const at = (...path: readonly string[]) => join(import.meta.dirname, ...path);

/** The screens of an agent by name, such as `tui-0-trust`. */
export function readScreens(agent: 'codex' | 'copilot' | 'pi'): ReadonlyMap<string, string> {
	const files = readdirSync(at(agent)).filter((file) => file.endsWith('.txt'));
	return new Map(files.sort().map((file) => [file.replace('.txt', ''), readFileSync(at(agent, file), 'utf8')]));
}

/** Two calls to a model. */
export const CODEX_ROLLOUT = at('codex', 'rollout-session.jsonl');
/** Two calls to a model, each 1234 tokens in, 200 of them from the cache, and 56 out. */
export const COPILOT_SESSION_SAMPLE = at('copilot', 'session-events.jsonl');
/** Two calls to a model, each 1034 tokens in, 200 from the cache, and 56 out. */
export const PI_SESSION_SAMPLE = at('pi', 'pi73-session.jsonl');
/** An extension that asks its user in every possible way. */
export const PI_ASKING_EXTENSION = at('pi', 'asking-extension.mjs');

export type RecordedHook = { readonly event: string; readonly payload: unknown };

/** The hooks of one session, in order of arrival. */
export function readRecordedHooks(agent: 'codex' | 'copilot' | 'pi'): readonly RecordedHook[] {
	return readLines(agent, 'hook-payloads.jsonl').map(({ arg, in: payload }) => ({ event: String(arg), payload }));
}

export type AcpSample = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };

/** Recorded ACP messages by the name of the agent's program: updates and permission requests. */
export function readAcpSamples(): ReadonlyMap<string, readonly AcpSample[]> {
	const files = readdirSync(at('acp')).filter((file) => file.endsWith('.jsonl'));
	return new Map(files.sort().map((file) => [file.replace('.jsonl', ''), readLines('acp', file).map(({ method, params }) => ({ method, params }))]));
}

function readLines(...path: readonly string[]) {
	const lines = readFileSync(at(...path), 'utf8').trim().split('\n');
	return lines.map((line) => JSON.parse(line));
}
