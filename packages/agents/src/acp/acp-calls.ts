// The updates of an ACP agent in the normal form: messages, plans, and tool calls by their kind, announced once and ended once.
import type { ToolInput } from '@roost/protocol/feed/base';
import { ZodError } from 'zod';
import { quoteArgv } from '../base/argv.ts';
import type { EventReporter } from '../live/event-reporter.ts';
import type { GateVerdict, LiveCall, LiveGate } from '../live/gate.ts';
import type { MessageStream, OpenCalls } from '../live/turns.ts';
import { type AcpUpdate, planned, spoken, type ToolCallNews, type ToolContent, toolCall } from './acp-messages.ts';

export type AcpCalls = ReturnType<typeof createAcpCalls>;

/** A better name than the kind of the call. */
type CallName = Pick<LiveCall, 'tool_name' | 'tool_input' | 'native_tool_name'>;

type Known = {
	call: NativeCall;
	name?: CallName;
	/** `asked`: sent to the gate. `reported`: reported without a permission request. */
	stage: 'begun' | 'reported' | 'asked';
};

const MAX_CALLS = 1000;

export function createAcpCalls(deps: {
	reporter: EventReporter;
	calls: OpenCalls;
	gate: LiveGate;
	signal: () => AbortSignal | undefined;
}) {
	const { reporter, calls, gate } = deps;
	const known = new Map<string, Known>();

	function learn(news: ToolCallNews): Known {
		const before = known.get(news.toolCallId);
		const entry: Known = { stage: 'begun', ...before, call: merge(before?.call, news) };
		known.set(news.toolCallId, entry);
		const oldest = known.size > MAX_CALLS ? known.keys().next().value : undefined;
		if (oldest !== undefined) known.delete(oldest);
		return entry;
	}

	function report(entry: Known): void {
		if (entry.stage !== 'begun') return;
		entry.stage = 'reported';
		const call = toCall(entry);
		calls.open({ ...call });
		reporter.report('PreToolUse', { ...call });
	}

	function ended(entry: Known, hookName: 'PostToolUse' | 'PostToolUseFailure'): void {
		const { call } = entry;
		known.delete(call.toolCallId);
		// As announced, even where its input was reported differently since.
		const announced = calls.find(call.toolCallId) ?? toCall(entry);
		if (hookName === 'PostToolUse') reporter.report(hookName, { ...announced, tool_response: toResponse(call) });
		else reporter.report(hookName, { ...announced, error: toFailure(call) });
		calls.observe(hookName, announced);
	}

	async function ask(entry: Known): Promise<GateVerdict> {
		entry.stage = 'asked';
		return await gate.announce(toCall(entry));
	}

	async function decide(entry: Known, how: 'announce' | 'permit'): Promise<GateVerdict> {
		entry.stage = 'asked';
		const verdict = await gate[how](toCall(entry), deps.signal());
		// The changed input is what runs.
		if (verdict.type === 'allow' && verdict.updatedInput) calls.open({ ...toCall(entry), tool_input: verdict.updatedInput });
		return verdict;
	}

	return {
		/** Nothing is reported yet: the input and the permission request may still follow. */
		begun: (news: ToolCallNews) => void learn(news),
		/** Reports calls that run or ended without a permission request. */
		went(news: ToolCallNews): void {
			const entry = learn(news);
			if (news.status === 'in_progress' || news.status === 'completed' || news.status === 'failed') report(entry);
			if (news.status === 'completed') ended(entry, 'PostToolUse');
			if (news.status === 'failed') ended(entry, 'PostToolUseFailure');
		},
		async permit(news: ToolCallNews, signal: AbortSignal): Promise<GateVerdict> {
			const entry = learn(news);
			// It was taken for a call without a permission request, so the gate did not see it yet.
			const verdict = entry.stage === 'reported' ? await ask(entry) : undefined;
			if (verdict?.type === 'deny') return verdict;
			entry.stage = 'asked';
			return await gate.permit(toCall(entry), signal);
		},
		/** Identifies a call that was not announced yet, names it, and sends it to the gate; with `permit` also to people. */
		judge(isMeant: (call: NativeCall) => boolean, as: CallName, how: 'announce' | 'permit'): Promise<GateVerdict> | undefined {
			const entry = known.values().find(({ call, stage }) => stage === 'begun' && isMeant(call));
			if (!entry) return undefined;
			entry.name = as;
			return decide(entry, how);
		},
		/** The turn is over. */
		forget: () => known.clear(),
	};
}

function toCall({ call, name }: Known): LiveCall {
	return { ...toNormalCall(call), ...name };
}

/** Missing fields keep their value; an empty input counts as missing. */
function merge(before: NativeCall | undefined, news: ToolCallNews): NativeCall {
	const message = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined));
	const base = before ?? { ...news, title: 'a tool', kind: 'other' };
	const hasInput = news.rawInput !== undefined && Object.keys(news.rawInput).length > 0;
	return { ...base, ...message, ...(hasInput ? {} : { rawInput: base.rawInput }) };
}

type Deps = { reporter: EventReporter; messages: MessageStream; calls: AcpCalls; newId: () => string };

/** Updates without a counterpart in the feed, or that Roost requests itself. */
const UNTOLD: ReadonlySet<string> = new Set(
	[
		'agent_thought_chunk user_message_chunk available_commands_update current_mode_update config_option_update',
		'session_info_update usage_update',
	].flatMap((line) => line.split(' ')),
);

export function createAcpUpdates({ reporter, messages, calls, newId }: Deps) {
	let messageId: string | undefined;

	function closeMessage(): void {
		if (messageId !== undefined) messages.finish(messageId);
		messageId = undefined;
	}

	function speak(update: AcpUpdate): void {
		const { text } = spoken.parse(update.content);
		messageId ??= newId();
		messages.add(messageId, text ?? '');
	}

	function begin(update: AcpUpdate): void {
		closeMessage();
		calls.begun(toolCall.parse(update));
	}

	/** A plan becomes a todo list, as other agents keep it with a tool. */
	function reportPlan(update: AcpUpdate): void {
		const { entries } = planned.parse(update);
		const todos = entries.map(({ content, status }) => ({ content, status, activeForm: content }));
		const call = { tool_name: 'TodoWrite', tool_input: { todos }, tool_use_id: newId(), native_tool_name: 'plan' };
		reporter.report('PreToolUse', call);
		reporter.report('PostToolUse', { ...call, tool_response: null });
	}

	const reported: ReadonlyMap<string, (update: AcpUpdate) => void> = new Map([
		['agent_message_chunk', speak],
		['tool_call', begin],
		['tool_call_update', (update: AcpUpdate) => calls.went(toolCall.parse(update))],
		['plan', reportPlan],
	]);

	return {
		take(update: AcpUpdate): void {
			const kind = update.sessionUpdate;
			if (UNTOLD.has(kind)) return;
			const keep = () => reporter.relay(`acp:${kind.slice(0, 60)}`, { ...update });
			try {
				(reported.get(kind) ?? keep)(update);
			} catch (cause) {
				// An unknown shape is kept as it came.
				if (!(cause instanceof ZodError)) throw cause;
				keep();
			}
		},
		closeMessage,
	};
}

/** The call with all updates so far. */
export type NativeCall = ToolCallNews & { title: string; kind: string };

export function toNormalCall(call: NativeCall): LiveCall {
	const [tool_name, tool_input] = named(call);
	return { tool_use_id: call.toolCallId, tool_name, tool_input, native_tool_name: call.name ?? call.kind };
}

export function toResponse(call: NativeCall): unknown {
	const shown = textOf(call.content);
	const text = shown === '' ? outputOf(call.rawOutput) : shown;
	return call.kind === 'execute' ? { stdout: text, stderr: '', interrupted: false } : text;
}

export function toFailure(call: NativeCall): string {
	const text = outputOf(call.rawOutput) || textOf(call.content);
	return text === '' ? 'It failed, and the agent did not say why.' : text;
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
