// Recorded output of the real `claude plugin …` and `claude mcp …`, by file name.
import { readFileSync } from 'node:fs';

export type CliSample = { readonly code: number; readonly stdout: string; readonly stderr: string };

const folder = new URL('./claude/cli/', import.meta.url);

export function readCliSample(name: string): CliSample {
	const text = readFileSync(new URL(`${name}.txt`, folder), 'utf8');
	const found = /^\$ claude .*\n(?<output>[\s\S]*?)(?:\[stderr\]\n(?<errors>[\s\S]*?))?\[rc=(?<code>\d+)\]\n?$/.exec(text);
	if (!found?.groups) throw new Error(`the sample ${name} is not of the form it should be`);
	const { output = '', errors, code } = found.groups;
	// The older samples have both streams in one; failures were printed to stderr.
	const merged = errors === undefined && code !== '0';
	return { code: Number(code), stdout: merged ? '' : output, stderr: merged ? output : (errors ?? '') };
}

/** The terminal output of a login, in its original chunks. */
export function readLoginSample(): readonly string[] {
	const pieces: unknown = JSON.parse(readFileSync(new URL('mcp-login-terminal.json', folder), 'utf8'));
	if (!Array.isArray(pieces)) throw new Error('the sample of a login is not a list');
	return pieces.map(String);
}
