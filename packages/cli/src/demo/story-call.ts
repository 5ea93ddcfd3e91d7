// One tool call in a story: announced, permitted or refused, done or failed, and what the agent learns from it.
import type { RuntimeDecision } from '@roost/core/runtime/decision';
import type { ToolInput } from '@roost/protocol/feed/base';
import type { StoryReporter } from './story-reporter.ts';
import type { StoryTime } from './story-time.ts';

export type StoryCall = {
	tool: string;
	input: ToolInput;
	response?: unknown;
	/** It fails with this. */
	error?: string;
	/** It needs permission. */
	asks?: boolean;
	takesMs?: number;
};

/** `interrupted`: denied, and the agent shall stop. */
export type CallEnd = { isDone: boolean; interrupted: boolean; answers: Readonly<Record<string, string>> };

type OpenCall = { tool_name: string; tool_input: ToolInput; tool_use_id: string };

export const BREATH_MS = 350;
const CALL_MS = 450;

export async function playCall(call: StoryCall, reporter: StoryReporter, time: StoryTime): Promise<CallEnd> {
	await time.pause(BREATH_MS);
	const open = { tool_name: call.tool, tool_input: call.input, tool_use_id: reporter.newId() };
	const decision = await permit(call, open, reporter, time);
	const end = toEnd(decision);
	if (end.isDone) await finish(call, { ...open, ...changedInput(decision) }, end, reporter, time);
	// The batch closes what was not let through.
	else reporter.report('PostToolBatch', { tool_calls: [{ ...open, tool_response: reasonOf(decision) }] });
	return end;
}

/** Announced first; where nobody minds and it needs permission, that is asked for. */
async function permit(call: StoryCall, open: OpenCall, reporter: StoryReporter, time: StoryTime): Promise<RuntimeDecision> {
	const announced = await reporter.ask('PreToolUse', open);
	if (!call.asks || announced.verdict.type === 'deny') return announced;
	await time.pause(BREATH_MS);
	return await reporter.ask('PermissionRequest', open);
}

async function finish(
	call: StoryCall,
	open: OpenCall,
	{ answers }: CallEnd,
	reporter: StoryReporter,
	time: StoryTime,
): Promise<void> {
	const duration_ms = call.takesMs ?? CALL_MS;
	await time.pause(duration_ms);
	const done = { ...open, duration_ms };
	if (call.error === undefined) reporter.report('PostToolUse', { ...done, tool_response: call.response ?? { answers } });
	else reporter.report('PostToolUseFailure', { ...done, error: call.error, is_interrupt: false });
}

/** No opinion leaves it to the agent's own terminal, where its user said yes. */
function toEnd({ verdict }: RuntimeDecision): CallEnd {
	return {
		isDone: verdict.type !== 'deny',
		interrupted: verdict.type === 'deny' && verdict.interrupt === true,
		answers: verdict.type === 'answer' ? verdict.answers : {},
	};
}

function changedInput({ verdict }: RuntimeDecision): { tool_input?: ToolInput } {
	return verdict.type === 'allow' && verdict.updatedInput ? { tool_input: verdict.updatedInput } : {};
}

function reasonOf({ verdict, reason }: RuntimeDecision): string {
	return (verdict.type === 'deny' ? verdict.message : reason) ?? 'refused';
}
