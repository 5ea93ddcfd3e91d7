// The requests that answer an ask, and their replies.
import { z } from 'zod';
import { askRow, askVerdict } from '../ask.ts';
import { askId } from '../ids.ts';
import { newArgsPattern, newRuleDuration, newToolGlob, rule, ruleScope } from '../rule.ts';
import { commandId } from './driving.ts';

/** The SHA-256 of the tool and input as the face showed them; an answer to another input is denied. */
const shown = z
	.string()
	.regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 as hex')
	.optional();

/** Without a tool, the tool of the ask; without a pattern, all its calls. */
const answeredRule = z.strictObject({ tool: newToolGlob.optional(), argsPattern: newArgsPattern.optional() });

/** `POST /sessions/:id/approve` */
export const approveBody = z.strictObject({
	commandId: commandId.optional(),
	askId,
	/** Shown with the ask: proof that the answer was made for exactly this one. */
	nonce: z.string().min(1),
	shown,
	decision: z.enum(['allow', 'deny']),
	/** Also make a rule, so that the next such call is decided without asking. */
	persist: z.boolean().optional(),
	scope: ruleScope.optional(),
	rule: answeredRule.optional(),
	/** Several rules instead of one, such as one for each part of a shell line. Without either, Roost makes the rules that it offers. */
	rules: z.array(answeredRule).min(1).max(20).optional(),
	/** How long those rules apply. */
	forMs: newRuleDuration.optional(),
	modifiedInput: z.record(z.string(), z.unknown()).optional(),
	denyMessage: z.string().optional(),
	interrupt: z.boolean().optional(),
});
export type ApproveBody = Omit<z.infer<typeof approveBody>, 'commandId'>;

/** The decided ask, with the rules that were made of the answer. */
export const approvedAsk = askRow.extend({ rules: z.array(rule).optional() });
export type ApprovedAsk = z.infer<typeof approvedAsk>;

/** `POST /sessions/:id/answer` */
export const answerBody = z.strictObject({
	commandId: commandId.optional(),
	askId,
	nonce: z.string().min(1),
	shown,
	/** By question text, one for each question. An empty text declines a question; none at all declines the ask. */
	answers: z.record(z.string(), z.string()),
});
export type AnswerBody = Omit<z.infer<typeof answerBody>, 'commandId'>;

/** The decision that came before this answer, and who made it. */
export const winner = z.object({ state: z.string(), verdict: askVerdict.optional(), principal: z.string().optional() });
export type Winner = z.infer<typeof winner>;

/** The 409 of an ask that is decided already. */
export const decidedAlready = z.object({ code: z.literal('conflict'), message: z.string(), winner: winner.optional() });
export type DecidedAlready = z.infer<typeof decidedAlready>;
