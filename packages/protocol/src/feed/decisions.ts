// Permissions, questions and stops: each request and its decision.
import { z } from 'zod';
import { risk } from '../ask.ts';
import { actorId, askId } from '../ids.ts';
import { decisionOrigin, feedKind, feedUnion, toolInput } from './base.ts';

/** `ask_id` is absent where a rule decides, or only the agent's own dialog asks. */
const openedAsk = {
	ask_id: askId.optional(),
	/** Why it is asked: no rule matched, or which rule says ask. */
	reason: z.string().optional(),
	/** When the agent stops waiting. */
	expires_at: z.number().optional(),
	/** The agent's own dialog asks the same, and stays open where Roost has no opinion. */
	own_dialog: z.literal(true).optional(),
};

export const question = z.object({
	question: z.string(),
	header: z.string().optional(),
	multi_select: z.boolean(),
	options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
});
export type Question = z.infer<typeof question>;

export const decisionKinds = [
	feedKind('permission.request', {
		tool_name: z.string(),
		tool_input: toolInput,
		tool_use_id: z.string().optional(),
		/** The agent's own suggestions, as it sent them. */
		permission_suggestions: z.array(z.unknown()).optional(),
		risk,
		/** The agent that wants it; the request itself is made by the system. */
		requested_by: actorId.optional(),
		...openedAsk,
	}),
	feedUnion(
		'permission.decision',
		z.discriminatedUnion('decision_type', [
			z.object({ decision_type: z.literal('no_opinion'), ...decisionOrigin }),
			z.object({
				decision_type: z.literal('allow'),
				updated_input: toolInput.optional(),
				updated_permissions: z.unknown().optional(),
				...decisionOrigin,
			}),
			z.object({
				decision_type: z.literal('deny'),
				message: z.string(),
				interrupt: z.boolean().optional(),
				...decisionOrigin,
			}),
			z.object({ decision_type: z.literal('ask'), ...decisionOrigin }),
		]),
	),
	/** The agent's own denial, without Roost. */
	feedKind('permission.denied', {
		tool_name: z.string(),
		tool_input: toolInput,
		tool_use_id: z.string().optional(),
		reason: z.string().optional(),
	}),
	feedKind('question.request', { questions: z.array(question), tool_use_id: z.string().optional(), ...openedAsk }),
	feedKind('question.answer', {
		/** By question text; empty without an answer. */
		answers: z.record(z.string(), z.string()),
		...decisionOrigin,
	}),
	feedKind('stop.request', {
		stop_hook_active: z.boolean(),
		scope: z.enum(['root', 'subagent']),
		agent_id: z.string().optional(),
		agent_type: z.string().optional(),
		last_assistant_message: z.string().optional(),
		background_tasks: z.number().optional(),
	}),
	feedUnion(
		'stop.decision',
		z.discriminatedUnion('decision_type', [
			z.object({ decision_type: z.literal('no_opinion'), ...decisionOrigin }),
			z.object({ decision_type: z.literal('block'), ...decisionOrigin, reason: z.string() }),
			z.object({ decision_type: z.literal('allow'), ...decisionOrigin }),
		]),
	),
	feedKind('stop.failure', {
		error: z.string(),
		last_assistant_message: z.string().optional(),
		agent_id: z.string().optional(),
	}),
	feedKind('elicitation.request', {
		mcp_server_name: z.string(),
		message: z.string(),
		mode: z.string().optional(),
		requested_schema: z.unknown().optional(),
	}),
	feedKind('elicitation.result', {
		mcp_server_name: z.string(),
		action: z.string(),
		mode: z.string().optional(),
		content: z.unknown().optional(),
	}),
] as const;
