// Says of a setting that cannot be: its key, what was found there, and what is allowed.
import type { z } from 'zod';

export type Examined = {
	content: unknown;
	file: string;
	/** What a setting came from if not from the file, by its key. */
	overrides: ReadonlyMap<string, { name: string }>;
};

export function describeIssue(issue: z.core.$ZodIssue, { content, file, overrides }: Examined): string {
	const key = issue.path.join('.');
	if (issue.code === 'unrecognized_keys') {
		return issue.keys.map((name) => describeUnknown([...issue.path, name].join('.'), file, issue.message)).join(' ');
	}
	if (issue.code === 'custom' && typeof issue.params?.noEffect === 'string') return noEffect(key, file, issue.params.noEffect);
	if (issue.code === 'invalid_key') {
		return `${key} in ${file} cannot be a key; it must be ${issue.issues[0]?.message ?? issue.message}.`;
	}
	const value = valueAt(content, issue.path);
	const found = isSecret(issue.path) ? describeKind(value) : describeValue(value);
	return `${overrides.get(key)?.name ?? `${key} in ${file}`} is ${found}; it must be ${issue.message}.`;
}

function describeUnknown(key: string, file: string, allowed: string): string {
	const instead = insteadOf(key);
	return instead === undefined
		? `${key} in ${file} is not known to Roost; allowed there: ${allowed}.`
		: noEffect(key, file, instead);
}

function noEffect(key: string, file: string, instead: string): string {
	return `${key} in ${file} has no effect: ${instead}.`;
}

function isSecret(path: readonly PropertyKey[]): boolean {
	return path[0] === 'auth' || (path[0] === 'agents' && path[2] === 'env');
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
	let value = content;
	for (const key of path) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = Object.entries(value).find(([name]) => name === String(key))?.[1];
	}
	return value;
}

const SHOWN = 80;

function describeValue(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
	if (typeof value !== 'string') return describeKind(value);
	return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);
}

function describeKind(value: unknown): string {
	if (value === undefined) return 'not there';
	if (value === null) return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return `a text of ${value.length} characters`;
	return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}

const INSTEAD: ReadonlyMap<string, string> = new Map([
	['runner.id', 'a runner makes its ID once and keeps it, so remove the key'],
	['buffer', 'every event is kept in roost.db under ROOST_HOME, so remove the key'],
	['runtime.printCommand', 'remove the key; "roost run --agent" chooses the agent of a run'],
]);

/** What to do instead; undefined for a key that Roost never had. */
export function insteadOf(key: string): string | undefined {
	return INSTEAD.get(key);
}
