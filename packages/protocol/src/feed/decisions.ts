// Permissions, questions and stops: what was asked, and what was decided by whom.
import { z } from 'zod';
import { risk } from '../ask.ts';
import { actorId, askId } from '../ids.ts';
import { decisionOrigin, feedKind, toolInput } from './base.ts';

/** Who is being asked; `ask_id` is absent where a rule decides, or the agent's own dialog alone asks. */
const openedAsk = {
	ask_id: askId.optional(),
	/** Why it is asked: no rule matched, or which rule says ask. */
	reason: z.string().optional(),
	/** When the agent stops waiting. */
	expires_at: z.number().optional(),
	/** The agent's own dialog asks the same, and stays open where Roost has no opinion. */
	own_dialog: z.literal(true).optional(),
};

export const permissionRequest = feedKind(
	'permission.request',
	z.object({
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
);

export const permissionDecision = feedKind(
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
);

/** The agent's own refusal, without Roost. */
export const permissionDenied = feedKind(
	'permission.denied',
	z.object({ tool_name: z.string(), tool_input: toolInput, tool_use_id: z.string().optional(), reason: z.string().optional() }),
);

export const question = z.object({
	question: z.string(),
	header: z.string().optional(),
	multi_select: z.boolean(),
	options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
});
export type Question = z.infer<typeof question>;

export const questionRequest = feedKind(
	'question.request',
	z.object({ questions: z.array(question), tool_use_id: z.string().optional(), ...openedAsk }),
);

export const questionAnswer = feedKind(
	'question.answer',
	z.object({
		/** By question text; empty when nobody answered. */
		answers: z.record(z.string(), z.string()),
		...decisionOrigin,
	}),
);

export const stopRequest = feedKind(
	'stop.request',
	z.object({
		stop_hook_active: z.boolean(),
		scope: z.enum(['root', 'subagent']),
		agent_id: z.string().optional(),
		agent_type: z.string().optional(),
		last_assistant_message: z.string().optional(),
		background_tasks: z.number().optional(),
	}),
);

export const stopDecision = feedKind(
	'stop.decision',
	z.discriminatedUnion('decision_type', [
		z.object({ decision_type: z.literal('no_opinion'), ...decisionOrigin }),
		z.object({ decision_type: z.literal('block'), ...decisionOrigin, reason: z.string() }),
		z.object({ decision_type: z.literal('allow'), ...decisionOrigin }),
	]),
);

export const stopFailure = feedKind(
	'stop.failure',
	z.object({ error: z.string(), last_assistant_message: z.string().optional(), agent_id: z.string().optional() }),
);

export const elicitationRequest = feedKind(
	'elicitation.request',
	z.object({
		mcp_server_name: z.string(),
		message: z.string(),
		mode: z.string().optional(),
		requested_schema: z.unknown().optional(),
	}),
);

export const elicitationResult = feedKind(
	'elicitation.result',
	z.object({ mcp_server_name: z.string(), action: z.string(), mode: z.string().optional(), content: z.unknown().optional() }),
);
