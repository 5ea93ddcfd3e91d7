// Rules over the wire: added, removed, and tried out before they count.
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
	/** Where the parts of a line are allowed by several rules, all of them. */
	rules: z.array(rule).optional(),
	/** Why the rule may apply to a call that it does not match, or why rules that allow each part do not allow the line. */
	why: z.string().optional(),
	/** What the rules say to each part of a shell line that has several. */
	parts: z.array(z.object({ text: z.string(), decision: testedDecision, rule: rule.optional() })).optional(),
});
export type RuleTestResult = z.infer<typeof ruleTestResult>;

/** `POST /rules/history`: a rule that nobody has added, tried on what is on record. */
export const ruleHistoryBody = z.strictObject({
	rule: ruleBody,
	/** How many calls to look at, the newest first. */
	calls: z.number().int().min(1).max(5_000).default(1_000),
});
export type RuleHistoryBody = z.infer<typeof ruleHistoryBody>;

/** What the record says became of a call. */
export const pastOutcome = z.object({
	/** `unasked`: nothing was asked of Roost, and the agent went on by itself. `open`: asked, and no decision is on record. */
	outcome: z.enum(['unasked', 'open', 'allowed', 'denied', 'answered', 'no_opinion']),
	/** `name@face`, `rule <id>`, `timeout`, `terminal`, `system`, or `agent` for a refusal of its own. */
	by: z.string().optional(),
});
export type PastOutcome = z.infer<typeof pastOutcome>;

/** What a set of rules says to a call; `none` leaves it to the agent. */
export const ruling = z.object({ decision: z.enum(['allow', 'deny', 'ask', 'none']), reason: z.string().optional() });
export type Ruling = z.infer<typeof ruling>;

export const ruleMatch = z.object({
	sessionId,
	/** Its place in the session's feed. */
	offset: z.number().int().positive(),
	ts: z.number(),
	tool: z.string(),
	/** What a pattern is matched with: the command, path, URL or query, else the input as JSON; long ones are cut. */
	argument: z.string(),
	became: pastOutcome,
	/** By the rules as they are. */
	today: ruling,
	/** By the same rules and this one. */
	withRule: ruling,
	changed: z.boolean(),
});
export type RuleMatch = z.infer<typeof ruleMatch>;

export const ruleHistory = z.object({
	looked: z.object({
		/** Those the rule's scope covers. */
		calls: z.number(),
		/** How far back; null where nothing is on record. */
		since: z.number().nullable(),
		/** Whether that is the whole record. */
		complete: z.boolean(),
	}),
	/** The newest first. */
	matches: z.array(ruleMatch),
});
export type RuleHistory = z.infer<typeof ruleHistory>;
