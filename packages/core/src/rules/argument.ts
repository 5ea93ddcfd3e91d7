// The one argument of a tool call that a rule's pattern is about.
import type { ToolInput } from '@roost/protocol/feed/base';
import { canonicalJson } from './canonical-json.ts';

export type MainArgument = { kind: 'shell' | 'path' | 'text'; text: string };

/** A shell line for Bash and whatever else takes a `command`; else a path, a URL or a query; else the whole input. */
export function mainArgument(tool: string, input: ToolInput): MainArgument {
	const shell = SHELL_TOOLS.has(tool);
	for (const [key, kind] of KEYS) {
		const value = input[key];
		if (typeof value === 'string' && (!shell || kind === 'shell')) return { kind, text: value };
	}
	return { kind: shell ? 'shell' : 'text', text: canonicalJson(input) };
}

/** Only bash is parsed: a pattern cannot cover what another shell would make of a line. */
export function isParsedShell(tool: string): boolean {
	return tool !== 'PowerShell';
}

const SHELL_TOOLS = new Set(['Bash', 'PowerShell']);

const KEYS = [
	['file_path', 'path'],
	['notebook_path', 'path'],
	['path', 'path'],
	['url', 'text'],
	['pattern', 'path'],
	['query', 'text'],
	['command', 'shell'],
] as const;
