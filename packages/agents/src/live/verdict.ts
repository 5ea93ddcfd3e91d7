// Which decisions an agent supports. No opinion never becomes an allow.
import { type RuntimeDecision, silence } from '@roost/core/runtime/decision';
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { GateMode } from '@roost/core/runtime/gate-mode';
import type { Verdict } from '@roost/protocol/ask';
import type { ToolInput } from '@roost/protocol/feed/base';
import { isJsonObject } from '../base/json-object.ts';

/** An answer is an allow of the question's call with the answers in its input. */
export type HookVerdict = Exclude<Verdict, { type: 'answer' }>;

/** Null where the hook does not support it. */
export function toHookVerdict(event: RuntimeEvent, { verdict }: RuntimeDecision): HookVerdict | null {
	if (verdict.type === 'ask') return event.hookName === 'PreToolUse' ? verdict : null;
	if (verdict.type !== 'answer') return verdict;
	const updatedInput = answeredInput(event, verdict.answers);
	return updatedInput && { type: 'allow', updatedInput };
}

/** An unsupported decision becomes no opinion, or a denial in enforce mode. */
export function fitVerdict(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	return !event.interaction.expectsDecision || toHookVerdict(event, decision) ? decision : undeliverable(event, decision, gate);
}

export function undeliverable(event: RuntimeEvent, decision: RuntimeDecision, gate: GateMode): RuntimeDecision {
	const reason = `${decision.verdict.type} is not supported by ${event.hookName}`;
	return silence(gate, { ...decision, source: 'system', reason });
}

/** The input replaces the old one, so it contains the questions again. */
function answeredInput(event: RuntimeEvent, answers: Record<string, string>): ToolInput | null {
	const input = isJsonObject(event.payload) ? event.payload.tool_input : undefined;
	const questions = isJsonObject(input) ? input.questions : undefined;
	return Array.isArray(questions) ? { questions, answers } : null;
}
