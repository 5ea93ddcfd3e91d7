// The agents on the runner's machine, and what Roost can do with each.
import { z } from 'zod';
import { commandId } from './driving.ts';

/** A problem with an agent's program; the sentence says what to do. */
export const programProblem = z.object({
	kind: z.enum(['missing', 'too-old', 'crashed', 'hung', 'garbage']),
	sentence: z.string().min(1),
});
export type ProgramProblem = z.infer<typeof programProblem>;

/** The program of an agent, as it was found and as it answered. */
export const agentProgram = z.object({
	/** Null if not installed. */
	path: z.string().min(1).nullable(),
	/** Null if not reported. */
	version: z.string().min(1).nullable(),
	problem: programProblem.nullable(),
});
export type AgentProgram = z.infer<typeof agentProgram>;

/** Results of the conformance run with the real program of this version, by capability. */
export const provenAgent = z.object({
	version: z.string().min(1),
	cells: z.record(
		z.string(),
		z.object({ outcome: z.enum(['pass', 'unsupported', 'fail']), reason: z.string().min(1).optional() }),
	),
});
export type ProvenAgent = z.infer<typeof provenAgent>;

/** Whether its guard was tested on that machine, with the installed program. */
export const guardProof = z.discriminatedUnion('state', [
	z.object({ state: z.literal('guarded'), provenAt: z.int().nonnegative() }),
	z.object({ state: z.literal('not-guarded'), provenAt: z.int().nonnegative(), reason: z.string().min(1) }),
	z.object({ state: z.literal('not-proven') }),
]);
export type GuardProof = z.infer<typeof guardProof>;

/** `GET /agents`: one kind of agent. */
export const agentRow = z.object({
	/** The name that callers use. */
	id: z.string().min(1),
	title: z.string().min(1),
	/** Whether it can be started and prompted here. */
	takesPrompts: z.boolean(),
	canResume: z.boolean(),
	canInterrupt: z.boolean(),
	/** Null for one that needs none, such as a scripted agent. */
	program: agentProgram.nullable(),
	/** How sessions that people start themselves are observed; null if they are not. */
	observed: z.string().min(1).nullable(),
	/** How its guard is installed; null if it has none. */
	guarded: z.string().min(1).nullable(),
	/** Null if it has no guard. */
	guardProof: guardProof.nullable(),
	/** Null before the first conformance run. */
	proven: provenAgent.nullable(),
});
export type AgentRow = z.infer<typeof agentRow>;

/** `POST /agents/prove` */
export const proveAgentsBody = z.strictObject({
	commandId,
	/** Also test agents that passed before. */
	again: z.boolean().optional(),
});
export type ProveAgents = Omit<z.infer<typeof proveAgentsBody>, 'commandId'>;

/** The result of the permission hook test, in the words that every face uses. */
export function guardWords(proof: GuardProof | null): string {
	if (proof === null) return 'no permission hook';
	if (proof.state === 'guarded') return 'permission hook tested on this machine: blocked a call';
	if (proof.state === 'not-proven') return 'permission hook not tested on this machine';
	return `permission hook test failed: ${proof.reason}`;
}

/** Whether a session with it can be started on that machine. */
export function isHere({ takesPrompts, program }: Pick<AgentRow, 'takesPrompts' | 'program'>): boolean {
	return takesPrompts && (program === null || program.problem === null);
}
