// A rule: a standing allow, deny or ask for tools.
import { z } from 'zod';
import { ruleId } from './ids.ts';

export const ruleDecision = z.enum(['allow', 'deny', 'ask']);
export type RuleDecision = z.infer<typeof ruleDecision>;

export const ruleScope = z.enum(['session', 'project', 'user']);
export type RuleScope = z.infer<typeof ruleScope>;

/** Limits for a new rule: a longer pattern would be an attack on the matcher. */
export const newToolGlob = z.string().min(1).max(1_000);
export const newArgsPattern = z.string().min(1).max(10_000);

/** How long a new rule applies, in milliseconds; without it, until it is removed. */
export const newRuleDuration = z
	.number()
	.int()
	.min(1_000)
	.max(366 * 86_400_000);

export const rule = z.object({
	id: ruleId,
	/** Glob over the tool's normal name: `Bash`, `mcp__github__*`. */
	tool: z.string().min(1),
	/** Glob over the tool's argument; for shell tools, over each simple command of the line. */
	argsPattern: z.string().min(1).optional(),
	decision: ruleDecision,
	scope: ruleScope,
	/** The session's or project's id; for scope `user`, the word `user`. */
	scopeId: z.string().min(1),
	/** For scope `project`: its path. */
	projectPath: z.string().min(1).optional(),
	addedBy: z.string().min(1),
	createdAt: z.number(),
	/** It no longer applies from then on. */
	expiresAt: z.number().optional(),
});
export type Rule = z.infer<typeof rule>;
