// A tool call as rules see it: its argument, and for a shell line its parts and all their possible forms.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { Rule } from '@roost/protocol/rule';
import { normalisePath } from '../paths/normalise-path.ts';
import { type ShellLine, type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { canonicalJson } from './canonical-json.ts';
import { type Meanings, meaningsOf } from './line-meanings.ts';
import { coversLine, coversPart, isExactly, touchesText } from './shell-cover.ts';
import { matchesText, parseTextGlob } from './text-glob.ts';

/** A call by its normal tool name: `Bash`, `Write`, `mcp__server__tool`. */
export type ToolCall = { tool: string; input: ToolInput };

/** `unread`: a shell line in a language that is not parsed here, so that no pattern can cover it. */
export type ShellSubject = { line: ShellLine; meanings: Meanings; unread: boolean };
export type Subject = { argument: MainArgument; shell: ShellSubject | undefined };

export function toSubject({ tool, input }: ToolCall): Subject {
	const argument = mainArgument(tool, input);
	if (argument.kind !== 'shell') return { argument, shell: undefined };
	const line = simpleCommands(argument.text);
	return { argument, shell: { line, meanings: meaningsOf(argument.text, line), unread: !isParsedShell(tool) } };
}

/** Whether the rule decides the whole call: an allow covers all of it, a deny or an ask touches any of it. */
export function matches({ argsPattern, decision }: Rule, { argument, shell }: Subject): boolean {
	if (shell !== undefined) {
		const { line, meanings, unread } = shell;
		if (decision !== 'allow') return argsPattern === undefined || touchesText(argsPattern, meanings.texts);
		if (argsPattern === undefined) return unread || (line.parsed && meanings.complete);
		return !unread && meanings.complete && coversLine(argsPattern, line, argument.text);
	}
	if (argsPattern === undefined) return true;
	const glob = parseTextGlob(argsPattern);
	if (argument.kind !== 'path') return matchesText(glob, argument.text);
	const resolved = matchesText(glob, normalisePath(argument.text));
	return resolved || (decision !== 'allow' && matchesText(glob, argument.text));
}

/** The parts that rules decide one by one; undefined where a call is decided as a whole. */
export function partsOf({ shell }: Subject): readonly SimpleCommand[] | undefined {
	if (shell === undefined || shell.unread || !shell.line.parsed || !shell.meanings.complete) return undefined;
	return shell.line.commands.length > 1 ? shell.line.commands : undefined;
}

/** Whether the rule decides this part. A deny or an ask that touches the line and none of its parts is about all of them. */
export function matchesPart({ argsPattern, decision }: Rule, { argument, shell }: Subject, at: number): boolean {
	const part = shell?.line.parsed ? shell.line.commands[at] : undefined;
	if (shell === undefined || part === undefined) return false;
	if (argsPattern === undefined) return true;
	if (decision === 'allow') return isExactly(argsPattern, argument.text) || coversPart(argsPattern, part);
	const { parts, texts } = shell.meanings;
	if (touchesText(argsPattern, parts[at] ?? [])) return true;
	return touchesText(argsPattern, texts) && !parts.some((own) => touchesText(argsPattern, own));
}

/** The argument of a tool call that a rule's pattern is about. */
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

/** Only bash is parsed: a pattern cannot cover a line that another shell would read differently. */
function isParsedShell(tool: string): boolean {
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
