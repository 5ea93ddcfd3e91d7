// What an agent provides to the conformance suite: its rig, its tool calls, and expectations that only it can know.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { AgentWords, ConformanceRig, OpenAgentRig } from '@roost/testkit/rigs/agents/agent-rig';
import type { Requirement } from '@roost/testkit/rigs/requirements';
import type { ObservedStage } from './prove-observed.contract.ts';

/** One row of the matrix. */
export type AgentStage = {
	readonly id: string;
	readonly title: string;
	readonly requirement: Requirement;
	/** The version of the tested program. */
	version(): Promise<string>;
	readonly open: OpenAgentRig;
	readonly words: AgentWords;
	/** Options of every session. */
	readonly request?: Partial<DrivenRequest>;
	/** The command of the program, for tests that wrap it. */
	program(): readonly [string, ...string[]];
	/** A line that is valid in its protocol but sent by no version, and contains `UNKNOWN_WORD`. */
	readonly unknownLine: string;
	/** How sessions of its user are observed, or why they are not. */
	readonly observed: ObservedStage | string;
	/** Deploys a guard for this agent and proves that it fires. */
	canary(rig: ConformanceRig): Promise<CanaryOutcome>;
};

export type CanaryOutcome = { guarded: true } | { guarded: false; reason: string };

/** Marks the unknown line in the events that Roost makes of it. */
export const UNKNOWN_WORD = 'word-of-tomorrow';
