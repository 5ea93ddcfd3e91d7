// What Roost says to an agent that waits. Passthrough is "no opinion": it is never turned into an allow.
import type { ToolInput } from '@roost/protocol/feed/base';
import type { AskId } from '@roost/protocol/ids';

export type RuntimeDecisionType = 'passthrough' | 'block' | 'json';

export type RuntimeDecision = {
	type: RuntimeDecisionType;
	/** `terminal`: inferred from the agent's own report, nobody's decision; `system`: Roost itself (shutdown, a lost connection). */
	source: 'user' | 'timeout' | 'rule' | 'terminal' | 'system';
	/** Semantic intent of a `json` decision; the adapter translates it. */
	intent?: RuntimeIntent;
	/** For people; programs go by the rest. */
	reason?: string;
	/** Nobody had anything to decide: no rule spoke, and nobody is asked. */
	noRule?: true;
	data?: unknown;
	ruleId?: string;
	/** Where several rules allowed the parts of a line, all of them. */
	ruleIds?: readonly string[];
	askId?: AskId;
	/** Who answered, as `name@face`; the face is the client's claim. */
	principal?: string;
	claimedFace?: string;
	/** The process that sent the answer, as far as the system tells. */
	peer?: string;
};

export type RuntimeIntent =
	| { kind: 'permission_allow'; updatedInput?: ToolInput; updatedPermissions?: unknown[] }
	| { kind: 'permission_deny'; reason: string; interrupt?: boolean }
	| { kind: 'question_answer'; answers: Record<string, string> }
	| { kind: 'pre_tool_allow'; updatedInput?: ToolInput; additionalContext?: string }
	| { kind: 'pre_tool_deny'; reason: string; additionalContext?: string }
	| { kind: 'pre_tool_ask'; reason?: string; updatedInput?: ToolInput; additionalContext?: string }
	| { kind: 'pre_tool_defer'; reason?: string }
	| { kind: 'stop_block'; reason: string };
