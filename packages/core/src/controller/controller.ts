// Decides a request of a waiting agent at once, or opens an ask for it.
import type { Risk } from '@roost/protocol/ask';
import { type ToolInput, toolInput } from '@roost/protocol/feed/base';
import { ruleId } from '@roost/protocol/ids';
import type { Rule } from '@roost/protocol/rule';
import { z } from 'zod';
import type { Redactor } from '../redaction/redact.ts';
import { judge, judgeParts, type RuleScopeIds, type RuleVerdict } from '../rules/match.ts';
import type { ToolCall } from '../rules/subject.ts';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { EventOf, RuntimeEvent, UnreadEvent } from '../runtime/event.ts';
import type { RuntimeCapabilities } from '../runtime/runtime.ts';
import { isHarmlessTool } from './harmless-tools.ts';
import { assessRisk } from './risk.ts';

export type ControllerContext = {
	rules: readonly Rule[];
	/** Checked before every rule, and stronger than any. */
	builtinDenies: readonly Rule[];
	/** Whether a call reaches Roost's own files; it resolves paths on the disk, so it comes from outside. */
	ownFiles?: ((call: ToolCall, cwd: string) => BuiltinDenial | undefined) | undefined;
	scope: RuleScopeIds;
	questionHook: RuntimeCapabilities['questionHook'];
	allowHook: RuntimeCapabilities['allowHook'];
	gate: 'observe' | 'enforce';
	/** The session's own mode; where it has none, the mode the agent reports counts. */
	permissionMode?: string;
	/** For calls that are quoted in a reason. */
	redactor?: Redactor;
};

/** A denial that no rule can lift. */
export type BuiltinDenial = { rule: Rule; why: string };

type AskToOpen = { kind: 'permission' | 'question'; tool: string; input: ToolInput; risk: Risk; reason: string };

export type ControllerResult =
	| { handled: true; decision: RuntimeDecision }
	| { handled: true; ask: AskToOpen }
	/** The agent does not wait for a decision. */
	| { handled: false };

export function control(event: RuntimeEvent, context: ControllerContext): ControllerResult {
	if (!event.interaction.expectsDecision) return { handled: false };
	if (!isGated(event)) return NO_RULE;
	const { hookName } = event;
	const call = toCall(event);
	if (call === undefined) return unreadable(context);
	const own = context.ownFiles?.(call, event.context.cwd);
	if (own !== undefined) return deny('rule', `Denied by rule ${own.rule.id}: ${own.why}`, own.rule.id);
	const mode = context.permissionMode ?? event.context.permissionMode;
	const verdict = decide(call, context, hookName === 'PreToolUse' && mode === 'bypassPermissions');
	if (verdict.decision === 'deny') return deny('rule', `Denied by rule ${describe(verdict.rule)}`, verdict.rule.id);
	if (call.tool === QUESTION_TOOL) return hookName === context.questionHook ? open('question', call, QUESTION_REASON) : NO_RULE;
	if (verdict.decision === 'ask') return open('permission', call, askReason(verdict));
	if (verdict.decision === 'allow' && (hookName === 'PermissionRequest' || isAllowedEarly(call, verdict, mode, context)))
		return allow(verdict);
	if (hookName === 'PreToolUse') return NO_RULE;
	if (mode === 'dontAsk') return deny('system', DONT_ASK_REASON);
	return open('permission', call, whyUndecided(call, verdict.why, context));
}

const QUESTION_TOOL = 'AskUserQuestion';
const QUESTION_REASON = 'the agent asks a question';
const DONT_ASK_REASON = 'denied: the permission mode is dontAsk, and no rule allows this';
const NO_RULE: ControllerResult = {
	handled: true,
	decision: { verdict: { type: 'none' }, source: 'rule', reason: 'no rule', noRule: true },
};

type Call = { tool: string; input: ToolInput };
type GatedHook = 'PreToolUse' | 'PermissionRequest';
type GatedEvent = EventOf<'PreToolUse'> | EventOf<'PermissionRequest'> | (UnreadEvent & { hookName: GatedHook });

function isGated(event: RuntimeEvent): event is GatedEvent {
	return event.hookName === 'PreToolUse' || event.hookName === 'PermissionRequest';
}

function toCall(event: GatedEvent): Call | undefined {
	if (event.unread !== undefined) return guessCall(event);
	const { tool_name: tool, tool_input: input } = event.payload;
	return tool === '' ? undefined : { tool: event.toolName ?? tool, input };
}

const partialCall = z.object({ tool_name: z.string().min(1).optional(), tool_input: toolInput.default({}) });

/** A malformed call may still hold enough for a rule to decide. */
function guessCall(event: UnreadEvent): Call | undefined {
	const payload = partialCall.safeParse(event.payload);
	const tool = event.toolName ?? payload.data?.tool_name;
	return payload.success && tool !== undefined ? { tool, input: payload.data.tool_input } : undefined;
}

/** In enforce mode, a call that cannot be read is denied. */
function unreadable(context: ControllerContext): ControllerResult {
	return context.gate === 'enforce' ? deny('system', 'denied: the request names no tool or its input is malformed') : NO_RULE;
}

/** `bypassed`: the agent asks for nothing, so a call that hides from a deny would simply run. */
function decide(call: Call, context: ControllerContext, bypassed: boolean): RuleVerdict {
	const builtin = judge(call, context.builtinDenies, context.scope);
	if (builtin.decision === 'deny') return builtin;
	return judge(call, bypassed ? [...context.rules, BYPASS] : context.rules, context.scope);
}

/** The rule of an agent that bypasses permissions: the weakest of all. */
const BYPASS: Rule = {
	id: ruleId.parse('bypass'),
	tool: '*',
	decision: 'allow',
	scope: 'user',
	scopeId: 'user',
	addedBy: 'agent',
	createdAt: Number.MAX_SAFE_INTEGER,
};

function describe(rule: Rule): string {
	return `${rule.id} (${rule.tool}${rule.argsPattern === undefined ? '' : ` ${rule.argsPattern}`})`;
}

type Judged = Exclude<RuleVerdict, { decision: 'none' }>;

/** Harmless tools run without a decision, and in plan mode the agent decides what runs. */
function isAllowedEarly(
	{ tool, input }: Call,
	{ rule }: Judged,
	mode: string | undefined,
	{ allowHook }: ControllerContext,
): boolean {
	return allowHook === 'PreToolUse' && rule !== BYPASS && mode !== 'plan' && !isHarmlessTool(tool, input);
}

function askReason({ rule, why }: Judged): string {
	return why === undefined ? `rule ${describe(rule)} says ask` : `rule ${describe(rule)} may apply: ${why}`;
}

function whyUndecided(call: Call, why: string | undefined, { rules, scope, redactor }: ControllerContext): string {
	if (why !== undefined) return `its parts are allowed by several rules, which do not add up: ${why}`;
	return whyUncovered(redactor?.redact(call).value ?? call, rules, scope) ?? 'no rule matched';
}

function deny(source: 'rule' | 'system', reason: string, ruleId?: string): ControllerResult {
	const decision: RuntimeDecision = { verdict: { type: 'deny', message: reason }, source, reason };
	return { handled: true, decision: ruleId === undefined ? decision : { ...decision, ruleId } };
}

function allow({ rule, rules = [rule] }: Judged): ControllerResult {
	const reason = `allowed by ${rules.length > 1 ? 'rules' : 'rule'} ${rules.map(describe).join(', ')}`;
	const by = { ruleId: rule.id, ...(rules.length > 1 && { ruleIds: rules.map(({ id }) => id) }) };
	return { handled: true, decision: { verdict: { type: 'allow' }, source: 'rule', reason, ...by } };
}

function open(kind: AskToOpen['kind'], { tool, input }: Call, reason: string): ControllerResult {
	return { handled: true, ask: { kind, tool, input, risk: assessRisk(tool, input), reason } };
}

const MOST_NAMED = 3;
const LONGEST = 60;

/** To be given a call without its secrets. Undefined where no part is covered, or the call has only one. */
function whyUncovered(call: ToolCall, rules: readonly Rule[], scope: RuleScopeIds): string | undefined {
	const parts = judgeParts(call, rules, scope);
	const uncovered = parts.filter(({ decision }) => decision === 'none');
	if (uncovered.length === 0 || uncovered.length === parts.length) return undefined;
	const named = [...new Set(uncovered.map(({ text }) => cut(text)))];
	const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : '';
	return `no rule covers ${named.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function cut(text: string): string {
	return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}
