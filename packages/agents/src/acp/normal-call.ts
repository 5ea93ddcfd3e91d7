// A tool call of an ACP agent in the normal form, by its kind: names and arguments differ between agents.
import type { ToolInput } from '@roost/protocol/feed/base';
import { quoteArgv } from '../base/shell-quote.ts';
import type { LiveCall } from '../live/gate.ts';
import type { ToolCallNews, ToolContent } from './acp-messages.ts';

/** The call with all updates so far. */
export type NativeCall = ToolCallNews & { title: string; kind: string };

export function toNormalCall(call: NativeCall): LiveCall {
	const [tool_name, tool_input] = named(call);
	return { tool_use_id: call.toolCallId, tool_name, tool_input, native_tool_name: call.name ?? call.kind };
}

export function toResponse(call: NativeCall): unknown {
	const shown = textOf(call.content);
	const said = shown === '' ? outputOf(call.rawOutput) : shown;
	return call.kind === 'execute' ? { stdout: said, stderr: '', interrupted: false } : said;
}

export function toFailure(call: NativeCall): string {
	const said = outputOf(call.rawOutput) || textOf(call.content);
	return said === '' ? 'It failed, and the agent did not say why.' : said;
}

type Named = [tool: string, input: ToolInput];

function named(call: NativeCall): Named {
	const input = call.rawInput ?? {};
	switch (call.kind) {
		case 'execute':
			return ['Bash', { ...input, command: commandOf(call) }];
		case 'edit':
			return toEdit(call);
		// Deleting or moving a file changes it like an edit.
		case 'delete':
		case 'move':
			return ['Edit', { ...input, file_path: pathOf(call) }];
		case 'read':
		case 'search':
			return toLook(call);
		case 'fetch':
			return ['WebFetch', { ...input, url: stringOf(input.url) ?? call.title }];
		default:
			return [call.title, { ...input }];
	}
}

function toEdit(call: NativeCall): Named {
	const diff = call.content?.find(isDiff);
	const file_path = diff?.path ?? pathOf(call);
	if (!diff) return ['Edit', { ...call.rawInput, file_path }];
	if (!diff.oldText) return ['Write', { file_path, content: diff.newText }];
	return ['Edit', { file_path, old_string: diff.oldText, new_string: diff.newText }];
}

/** Agents mix up read and search: a pattern means search. */
function toLook(call: NativeCall): Named {
	const input = call.rawInput ?? {};
	const pattern = stringOf(input.pattern) ?? stringOf(input.query);
	if (pattern !== undefined) return ['Grep', { ...input, pattern }];
	return call.kind === 'search' ? ['Grep', { ...input, pattern: call.title }] : ['Read', { ...input, file_path: pathOf(call) }];
}

function commandOf({ rawInput = {}, title }: NativeCall): string {
	const { command } = rawInput;
	if (Array.isArray(command) && command.every((word) => typeof word === 'string')) return quoteArgv(command);
	return stringOf(command) ?? stringOf(rawInput.cmd) ?? title;
}

function pathOf({ rawInput = {}, locations, title }: NativeCall): string {
	const named = [rawInput.path, rawInput.file_path, rawInput.filePath, rawInput.fileName].find(
		(path) => typeof path === 'string',
	);
	return stringOf(named) ?? locations?.[0]?.path ?? title;
}

function stringOf(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}

type Diff = Extract<ToolContent, { newText: string }>;

function isDiff(content: ToolContent): content is Diff {
	return 'newText' in content;
}

function textOf(content: NativeCall['content']): string {
	const texts = (content ?? []).flatMap((part) =>
		'content' in part && part.content.text !== undefined ? [part.content.text] : [],
	);
	return texts.join('\n');
}

function outputOf(output: unknown): string {
	if (typeof output === 'string') return output;
	if (typeof output !== 'object' || output === null) return '';
	const words = Object.entries(output).find(([key, value]) => OUTPUT_KEYS.has(key) && typeof value === 'string');
	return words ? String(words[1]) : JSON.stringify(output);
}

const OUTPUT_KEYS: ReadonlySet<string> = new Set(['message', 'error', 'content', 'output', 'stdout']);
