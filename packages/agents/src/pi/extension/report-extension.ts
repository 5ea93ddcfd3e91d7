// Inside the user's own Pi: reports to Roost, and asks it before each call.

import { isJsonObject } from '../../base/json-object.ts';
import type { PiApi, PiBlock, PiContext, PiMessage, PiToolCall, PiUsage } from './pi-api.ts';
import { type Door, openRunnerLink } from './runner-link.ts';
import { settleInput } from './shared.ts';

/** For runners of older versions, which do not state it. */
const UNSTATED_WAIT_MS = 320_000;

/** Pi loads the default export. @public */
export default function openReport(pi: PiApi): void {
	const { ROOST_HOOK_SOCKET: socket = '', ROOST_HOOK_SECRET: secret = '', ROOST_HOOK_GATE: gate = 'enforce' } = process.env;
	if (socket === '' || secret === '') throw new Error('This extension is loaded by "roost pi", which says where Roost is.');
	const waitMs = Number(process.env.ROOST_HOOK_WAIT_MS) || UNSTATED_WAIT_MS;
	reportTo(pi, openRunnerLink({ socket, secret, gate, waitMs }), gate);
}

/** Without a gate calls are only reported. */
export function reportTo(pi: PiApi, door: Door, gate: string | null): void {
	const inputs = new Map<string, Record<string, unknown>>();
	let used = new Map<string, PiUsage>();
	let last: PiMessage | undefined;

	function report(hookName: string, context: PiContext, payload: Record<string, unknown>): void {
		door.report(hookName, context.sessionManager.getSessionId(), { ...basics(hookName, context), ...payload });
	}

	async function ask(hookName: string, asked: PiToolCall, context: PiContext): Promise<Awaited<ReturnType<typeof door.ask>>> {
		const call = { tool_name: asked.toolName, tool_input: asked.input, tool_use_id: asked.toolCallId };
		return await door.ask(hookName, context.sessionManager.getSessionId(), { ...basics(hookName, context), ...call });
	}

	async function reportCall({ toolName, toolCallId, input }: PiToolCall, context: PiContext): Promise<undefined> {
		try {
			report('PreToolUse', context, { tool_name: toolName, tool_input: input, tool_use_id: toolCallId });
		} catch {
			// Not JSON: it cannot be reported, and throwing would block the call.
		}
	}

	/** In enforce mode an undecided call needs permission; otherwise Pi continues as usual. */
	async function judge(event: PiToolCall, context: PiContext, gate: string): Promise<PiBlock | undefined> {
		const asked = { ...event, input: structuredClone(event.input) };
		inputs.set(event.toolCallId, asked.input);
		const first = await ask('PreToolUse', asked, context);
		const isOpen = first === null ? gate === 'enforce' : first?.verdict === 'ask';
		if (isOpen) context.ui.setStatus('roost', 'waits for an answer: see "roost asks"');
		const answer = isOpen ? await ask('PermissionRequest', asked, context) : first;
		if (isOpen) context.ui.setStatus('roost', '');
		return take(answer, asked.input, event, gate);
	}

	function receiveMessage({ message }: { message: PiMessage }, context: PiContext): void {
		const text = toText(message.content);
		if (message.role === 'user') report('UserPromptSubmit', context, { prompt: text });
		if (message.role !== 'assistant') return;
		last = message;
		if (text !== '') report('MessageDisplay', context, { message_id: `${Date.now()}`, index: 0, delta: text, final: true });
		addUsage(used, message);
		report('UsageReport', context, {
			by_model: Object.fromEntries([...used].map(([model, usage]) => [model, toNormalUsage(usage)])),
		});
	}

	pi.on('session_start', ({ reason }, context) => {
		used = new Map();
		for (const { message } of context.sessionManager.getEntries()) if (message?.role === 'assistant') addUsage(used, message);
		const model = context.model && { model: `${context.model.provider}/${context.model.id}` };
		report('SessionStart', context, { source: SOURCES.get(reason) ?? 'startup', ...model });
	});
	pi.on('message_end', receiveMessage);
	pi.on('tool_call', (event, context) => (gate === null ? reportCall(event, context) : judge(event, context, gate)));
	pi.on('tool_execution_start', ({ toolCallId, args }) => void inputs.set(toolCallId, args));
	pi.on('tool_execution_end', ({ toolCallId, toolName, result, isError }, context) => {
		const call = { tool_name: toolName, tool_input: inputs.get(toolCallId) ?? {}, tool_use_id: toolCallId };
		inputs.delete(toolCallId);
		const text = toText(result.content ?? []);
		report(isError ? 'PostToolUseFailure' : 'PostToolUse', context, {
			...call,
			...(isError ? { error: text } : { tool_response: text }),
		});
	});
	pi.on('agent_settled', (_event, context) => {
		const text = last && toText(last.content);
		if (last?.stopReason === 'error')
			report('StopFailure', context, { error: 'api_error', last_assistant_message: last.errorMessage });
		else
			report('Stop', context, {
				stop_hook_active: false,
				last_assistant_message: text,
				interrupted: last?.stopReason === 'aborted',
			});
	});
	pi.on('session_shutdown', async ({ reason }, context) => {
		report('SessionEnd', context, { reason });
		await door.reported();
	});
}

const SOURCES: ReadonlyMap<string, string> = new Map([
	['startup', 'startup'],
	['reload', 'resume'],
	['resume', 'resume'],
	['new', 'clear'],
	['fork', 'fork'],
]);

function take(
	answer: Record<string, unknown> | null | undefined,
	asked: Record<string, unknown>,
	event: PiToolCall,
	gate: string,
): PiBlock | undefined {
	if (answer?.verdict === 'allow') {
		const changed = isJsonObject(answer.input) ? answer.input : undefined;
		// In observe mode other extensions may change a call.
		if (gate === 'enforce' || changed) settleInput(event.input, changed ?? asked);
		return undefined;
	}
	if (answer?.verdict === 'deny') return { block: true, reason: String(answer.reason) };
	// No opinion, or no runner.
	if (gate !== 'enforce') return undefined;
	return { block: true, reason: 'Roost could not decide, and this session requires its decision.' };
}

function basics(hookName: string, { cwd, sessionManager }: PiContext): Record<string, unknown> {
	return {
		hook_event_name: hookName,
		session_id: sessionManager.getSessionId(),
		transcript_path: sessionManager.getSessionFile() ?? '',
		cwd,
	};
}

function addUsage(used: Map<string, PiUsage>, { model = 'unknown', usage }: PiMessage): void {
	if (!usage) return;
	const before = used.get(model) ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
	used.set(model, {
		input: before.input + usage.input,
		output: before.output + usage.output,
		cacheRead: before.cacheRead + usage.cacheRead,
		cacheWrite: before.cacheWrite + usage.cacheWrite,
		reasoning: (before.reasoning ?? 0) + (usage.reasoning ?? 0),
	});
}

function toNormalUsage({ input, output, cacheRead, cacheWrite, reasoning = 0 }: PiUsage): Record<string, number> {
	const used = { input_tokens: input, output_tokens: output, cache_read_tokens: cacheRead, cache_write_tokens: cacheWrite };
	return reasoning > 0 ? { ...used, reasoning_tokens: reasoning } : used;
}

function toText(content: PiMessage['content']): string {
	return typeof content === 'string'
		? content
		: content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n');
}
