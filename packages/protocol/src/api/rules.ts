// Rules over the wire: added, removed, and tested before they apply.
import { z } from 'zod';
import { projectRef, sessionId } from '../ids.ts';
import { newArgsPattern, newRuleDuration, newToolGlob, rule, ruleDecision, ruleScope } from '../rule.ts';

/** `POST /rules` */
export const ruleBody = z.strictObject({
	tool: newToolGlob,
	argsPattern: newArgsPattern.optional(),
	decision: ruleDecision,
	scope: ruleScope,
	/** Needed for session and project scope: the id of the session, or the id or a folder of the project. */
	scopeId: z.string().min(1).optional(),
	forMs: newRuleDuration.optional(),
});
export type RuleBody = z.infer<typeof ruleBody>;

/** `POST /rules/test` */
export const ruleTestBody = z.strictObject({
	tool: z.string().min(1),
	input: z.record(z.string(), z.unknown()),
	sessionId: z.string().optional(),
	projectId: projectRef.optional(),
});
export type RuleTestBody = z.infer<typeof ruleTestBody>;

const testedDecision = z.enum(['allow', 'deny', 'ask', 'none']);

export const ruleTestResult = z.object({
	decision: testedDecision,
	rule: rule.optional(),
	/** All rules, where several allow the parts of a line. */
	rules: z.array(rule).optional(),
	/** Why the rule may apply to a call that it does not match, or why rules that allow each part do not allow the line. */
	why: z.string().optional(),
	/** The decision for each part of a shell line that has several. */
	parts: z.array(z.object({ text: z.string(), decision: testedDecision, rule: rule.optional() })).optional(),
});
export type RuleTestResult = z.infer<typeof ruleTestResult>;

/** `POST /rules/history`: a rule that is not added yet, tested on recorded calls. */
export const ruleHistoryBody = z.strictObject({
	rule: ruleBody,
	/** How many calls to test, newest first. */
	calls: z.number().int().min(1).max(5_000).default(1_000),
});
export type RuleHistoryBody = z.infer<typeof ruleHistoryBody>;

/** The recorded outcome of a call. */
export const pastOutcome = z.object({
	/** `unasked`: the agent did not ask Roost. `open`: asked, and no decision is on record. */
	outcome: z.enum(['unasked', 'open', 'allowed', 'denied', 'answered', 'no_opinion']),
	/** `name@face`, `rule <id>`, `timeout`, `terminal`, `system`, or `agent` for its own denial. */
	by: z.string().optional(),
});
export type PastOutcome = z.infer<typeof pastOutcome>;

/** The decision of a set of rules for a call; `none` leaves it to the agent. */
export const ruling = z.object({ decision: testedDecision, reason: z.string().optional() });
export type Ruling = z.infer<typeof ruling>;

export const ruleMatch = z.object({
	sessionId,
	/** Its place in the session's feed. */
	offset: z.number().int().positive(),
	ts: z.number(),
	tool: z.string(),
	/** The text that a pattern is matched with: the command, path, URL or query, else the input as JSON; shortened. */
	argument: z.string(),
	became: pastOutcome,
	/** By the current rules. */
	today: ruling,
	/** By the current rules and this one. */
	withRule: ruling,
	changed: z.boolean(),
});
export type RuleMatch = z.infer<typeof ruleMatch>;

export const ruleHistory = z.object({
	looked: z.object({
		/** Calls in the scope of the rule. */
		calls: z.number(),
		/** How far back; null without recorded calls. */
		since: z.number().nullable(),
		/** Whether these are all recorded calls. */
		complete: z.boolean(),
	}),
	/** The newest first. */
	matches: z.array(ruleMatch),
});
export type RuleHistory = z.infer<typeof ruleHistory>;
