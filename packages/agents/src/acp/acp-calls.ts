// The updates of an ACP agent in the normal form: messages, plans, and tool calls that are announced once and ended once.
import { ZodError } from 'zod';
import type { EventReporter } from '../live/event-reporter.ts';
import type { GateVerdict, LiveCall, LiveGate } from '../live/gate.ts';
import type { MessageStream } from '../live/message-stream.ts';
import type { OpenCalls } from '../live/open-calls.ts';
import { type AcpUpdate, planned, spoken, type ToolCallNews, toolCall } from './acp-messages.ts';
import { type NativeCall, toFailure, toNormalCall, toResponse } from './normal-call.ts';

export type AcpCalls = ReturnType<typeof createAcpCalls>;

/** A better name than the kind of the call. */
type CallName = Pick<LiveCall, 'tool_name' | 'tool_input' | 'native_tool_name'>;

type Known = {
	call: NativeCall;
	name?: CallName;
	/** `asked`: sent to the gate. `told`: only reported. */
	stage: 'begun' | 'told' | 'asked';
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

	function tell(entry: Known): void {
		if (entry.stage !== 'begun') return;
		entry.stage = 'told';
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
			if (news.status === 'in_progress' || news.status === 'completed' || news.status === 'failed') tell(entry);
			if (news.status === 'completed') ended(entry, 'PostToolUse');
			if (news.status === 'failed') ended(entry, 'PostToolUseFailure');
		},
		async permit(news: ToolCallNews, signal: AbortSignal): Promise<GateVerdict> {
			const entry = learn(news);
			// It was taken for a call without a permission request, so the gate did not see it yet.
			const verdict = entry.stage === 'told' ? await ask(entry) : undefined;
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
	const said = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== undefined));
	const base = before ?? { ...news, title: 'a tool', kind: 'other' };
	const hasInput = news.rawInput !== undefined && Object.keys(news.rawInput).length > 0;
	return { ...base, ...said, ...(hasInput ? {} : { rawInput: base.rawInput }) };
}

type Deps = { reporter: EventReporter; said: MessageStream; calls: AcpCalls; newId: () => string };

/** Updates without a counterpart in the feed, or that Roost requests itself. */
const UNTOLD: ReadonlySet<string> = new Set(
	[
		'agent_thought_chunk user_message_chunk available_commands_update current_mode_update config_option_update',
		'session_info_update usage_update',
	].flatMap((line) => line.split(' ')),
);

export function createAcpUpdates({ reporter, said, calls, newId }: Deps) {
	let messageId: string | undefined;

	function closeMessage(): void {
		if (messageId !== undefined) said.finish(messageId);
		messageId = undefined;
	}

	function speak(update: AcpUpdate): void {
		const { text } = spoken.parse(update.content);
		messageId ??= newId();
		said.add(messageId, text ?? '');
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

	const told: ReadonlyMap<string, (update: AcpUpdate) => void> = new Map([
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
				(told.get(kind) ?? keep)(update);
			} catch (cause) {
				// An unknown shape is kept as it came.
				if (!(cause instanceof ZodError)) throw cause;
				keep();
			}
		},
		closeMessage,
	};
}
