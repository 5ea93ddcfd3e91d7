// Codex' calls in the normal form, the same from hooks, approval requests and items.
import { resolve } from 'node:path';
import type { ToolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import { isJsonObject } from '../base/json-object.ts';
import type { LiveCall } from '../live/gate.ts';

type NativeCall = { id: string; name: string; input: ToolInput; cwd: string };

/** One call, or one for each file of a patch. */
export function toNormalCalls({ id, name, input, cwd }: NativeCall) {
	if (name === 'Bash') return { asks: true, calls: [toBashCall(id, text(input.command))] };
	if (name === 'apply_patch') return { asks: true, calls: toPatchCalls(id, text(input.command), cwd) };
	if (name.startsWith('mcp__')) return { asks: true, calls: [{ tool_use_id: id, tool_name: name, tool_input: input }] };
	return { asks: false, calls: [{ tool_use_id: id, native_tool_name: name, ...toQuietCall(name, input, cwd) }] };
}

export function toBashCall(id: string, command: string): LiveCall {
	return { tool_use_id: id, tool_name: 'Bash', tool_input: { command }, native_tool_name: 'exec_command' };
}

/** The path is part of the id, so that the same file of a patch is the same call everywhere. */
function toFileCall(id: string, { path, kind, text: content, movedTo }: FileChange, cwd: string): LiveCall {
	const file_path = resolve(cwd, path);
	const call = { tool_use_id: `${id}:${file_path}`, native_tool_name: 'apply_patch' };
	if (kind === 'add') return { ...call, tool_name: 'Write', tool_input: { file_path, content } };
	const change = kind === 'delete' ? { deletes: true } : beforeAndAfter(content);
	const moved = movedTo === undefined ? {} : { moved_to: resolve(cwd, movedTo) };
	return { ...call, tool_name: 'Edit', tool_input: { file_path, ...change, ...moved } };
}

function beforeAndAfter(diff: string): { old_string: string; new_string: string } {
	const lines = diff.split('\n').filter((line) => !/^(?:@@|---|\+\+\+)/.test(line));
	const side = (sign: '-' | '+') =>
		lines
			.filter((line) => line.startsWith(' ') || line.startsWith(sign))
			.map((line) => line.slice(1))
			.join('\n');
	return { old_string: side('-'), new_string: side('+') };
}

/** A move changes the old and the new path. */
export function toFileCalls(id: string, changes: readonly FileChange[], cwd: string): LiveCall[] {
	return changes.flatMap((change) => {
		const call = toFileCall(id, change, cwd);
		const { movedTo } = change;
		return movedTo === undefined ? [call] : [call, toFileCall(id, { path: movedTo, kind: 'add', text: change.text }, cwd)];
	});
}

function toPatchCalls(id: string, patch: string, cwd: string): LiveCall[] {
	const changes = parsePatch(patch);
	// An unreadable patch is shown as it is.
	if (changes.length === 0)
		return [{ tool_use_id: id, tool_name: 'Edit', tool_input: { patch }, native_tool_name: 'apply_patch' }];
	return toFileCalls(id, changes, cwd);
}

const question = z.object({
	question: z.string(),
	header: z.string().nullish(),
	options: z.array(z.object({ label: z.string(), description: z.string().nullish() })).nullish(),
});

const plan = z.array(z.object({ step: z.string(), status: z.string() }));

/** They only change Codex' own state. */
const OWN_TOOLS: ReadonlyMap<string, string> = new Map([
	['tool_search', 'ToolSearch'],
	['get_goal', 'TaskGet'],
	['create_goal', 'TaskCreate'],
	['update_goal', 'TaskUpdate'],
]);

/** Calls that Codex runs without approval. */
function toQuietCall(name: string, input: ToolInput, cwd: string): Pick<LiveCall, 'tool_name' | 'tool_input'> {
	if (name === 'view_image') return { tool_name: 'Read', tool_input: { file_path: resolve(cwd, text(input.path)) } };
	if (name === 'request_user_input') return { tool_name: 'AskUserQuestion', tool_input: toQuestionInput(input.questions) };
	if (name === 'update_plan') return { tool_name: 'TodoWrite', tool_input: toTodos(input.plan) };
	if (name === 'write_stdin') return { tool_name: text(input.chars) === '' ? 'BashOutput' : 'BashInput', tool_input: input };
	const own = OWN_TOOLS.get(name);
	if (own !== undefined) return { tool_name: own, tool_input: input };
	if (name.endsWith('spawn_agent'))
		return { tool_name: 'Agent', tool_input: { prompt: text(input.message), description: text(input.task_name) } };
	return { tool_name: name, tool_input: input };
}

export function toQuestionInput(questions: unknown): ToolInput {
	const parsed = z.array(question).safeParse(questions);
	return { questions: parsed.success ? parsed.data.map((each) => ({ ...each, multiSelect: false })) : questions };
}

function toTodos(steps: unknown): ToolInput {
	const parsed = plan.safeParse(steps);
	return { todos: parsed.success ? parsed.data.map(({ step, status }) => ({ content: step, status })) : steps };
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

export function toToolInput(value: unknown): ToolInput {
	if (isJsonObject(value)) return value;
	return value === undefined || value === null ? {} : { value };
}

/** `text` is the content of a new file, or the changed lines. */
export type FileChange = { path: string; kind: 'add' | 'update' | 'delete'; text: string; movedTo?: string | undefined };

const FILE = /^\*\*\* (?<verb>Add|Update|Delete) File: (?<path>.+)$/;
const MOVE = /^\*\*\* Move to: (?<path>.+)$/;
const KINDS = { Add: 'add', Update: 'update', Delete: 'delete' } as const;

/** Empty for what is not a patch. */
export function parsePatch(patch: string): FileChange[] {
	const changes: FileChange[] = [];
	const bodies: string[][] = [];
	for (const line of patch.split('\n').map((each) => each.replace(/\r$/, ''))) {
		const { verb, path } = FILE.exec(line.trimEnd())?.groups ?? {};
		const last = changes.at(-1);
		const movedTo = MOVE.exec(line.trimEnd())?.groups?.path;
		if (isVerb(verb) && path !== undefined) {
			changes.push({ path: path.trim(), kind: KINDS[verb], text: '' });
			bodies.push([]);
		} else if (movedTo !== undefined && last) last.movedTo = movedTo.trim();
		else if (!/^\*\*\* (?:Begin|End) (?:Patch|of File)/.test(line)) bodies.at(-1)?.push(line);
	}
	return changes.map((change, at) => ({ ...change, text: toText(change.kind, bodies[at] ?? []) }));
}

function isVerb(verb: string | undefined): verb is keyof typeof KINDS {
	return verb !== undefined && Object.hasOwn(KINDS, verb);
}

/** Lines of a new file begin with a plus. */
function toText(kind: FileChange['kind'], lines: readonly string[]): string {
	if (kind !== 'add') return lines.join('\n').trimEnd();
	return lines
		.filter((line) => line.startsWith('+'))
		.map((line) => `${line.slice(1)}\n`)
		.join('');
}

const SHELL = /^\S*?(?:bash|zsh|sh)$/;

/** The script inside `/bin/bash -lc '…'`; the line itself for anything else. */
export function unwrapShell(line: string): string {
	const words = splitWords(line);
	const [shell, flag, script] = words ?? [];
	const isCall = words?.length === 3 && SHELL.test(shell ?? '') && (flag === '-lc' || flag === '-c');
	return isCall && script !== undefined ? script : line;
}

/** Handles only the output of shell quoting; null for anything else. */
function splitWords(line: string): string[] | null {
	const words: string[] = [];
	let rest = line.trim();
	while (rest !== '') {
		const match = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+/.exec(rest);
		if (!match) return null;
		words.push(match[0].replaceAll(/'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g, unquote));
		rest = rest.slice(match[0].length);
		const gap = /^\s+/.exec(rest);
		if (!gap && rest !== '') return null;
		rest = rest.slice(gap?.[0].length ?? 0);
	}
	return words;
}

function unquote(_whole: string, single?: string, double?: string, escaped?: string): string {
	return single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
}
