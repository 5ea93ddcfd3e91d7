// Rules over the wire: added, removed, and tried out before they count.
import { z } from 'zod';
import { rule, ruleDecision, ruleScope } from '../rule.ts';

/** `POST /rules` */
export const ruleBody = z.strictObject({
	tool: z.string().min(1),
	argsPattern: z.string().min(1).optional(),
	decision: ruleDecision,
	scope: ruleScope,
	/** Needed for session and project scope. */
	scopeId: z.string().min(1).optional(),
});
export type RuleBody = z.infer<typeof ruleBody>;

/** `POST /rules/test` */
export const ruleTestBody = z.strictObject({
	tool: z.string().min(1),
	input: z.record(z.string(), z.unknown()),
	sessionId: z.string().optional(),
	projectId: z.string().optional(),
});
export type RuleTestBody = z.infer<typeof ruleTestBody>;

export const ruleTestResult = z.object({
	decision: z.enum(['allow', 'deny', 'ask', 'none']),
	rule: rule.optional(),
});
export type RuleTestResult = z.infer<typeof ruleTestResult>;
