// What a face sends to answer an ask, and what it hears back.
import { z } from 'zod';
import { verdict } from '../ask.ts';
import { askId } from '../ids.ts';
import { newArgsPattern, newToolGlob, ruleScope } from '../rule.ts';

/** `POST /sessions/:id/approve` */
export const approveBody = z.strictObject({
	askId,
	/** Shown with the ask: proof that the answer was made for exactly this one. */
	nonce: z.string().min(1),
	decision: z.enum(['allow', 'deny']),
	/** Also make a rule of it, so that the next call like this is decided without asking. */
	persist: z.boolean().optional(),
	scope: ruleScope.optional(),
	rule: z.strictObject({ tool: newToolGlob.optional(), argsPattern: newArgsPattern.optional() }).optional(),
	modifiedInput: z.record(z.string(), z.unknown()).optional(),
	denyMessage: z.string().optional(),
	interrupt: z.boolean().optional(),
});
export type ApproveBody = z.infer<typeof approveBody>;

/** `POST /sessions/:id/answer` */
export const answerBody = z.strictObject({
	askId,
	nonce: z.string().min(1),
	/** By question text, one for each question. An empty text declines a question; none at all declines the ask. */
	answers: z.record(z.string(), z.string()),
});
export type AnswerBody = z.infer<typeof answerBody>;

/** What decided an ask before this answer came, and who said it. */
export const winner = z.object({ state: z.string(), verdict: verdict.optional(), principal: z.string().optional() });
export type Winner = z.infer<typeof winner>;

/** The 409 of an ask that is decided already. */
export const decidedAlready = z.object({ code: z.literal('conflict'), message: z.string(), winner: winner.optional() });
export type DecidedAlready = z.infer<typeof decidedAlready>;
