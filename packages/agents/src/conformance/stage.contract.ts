// What an agent brings to the conformance suite: its rig, its words, and what only it can know.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import type { AgentWords, ConformanceRig, OpenAgentRig } from '@roost/testkit/rigs/agents/agent-rig';
import type { Requirement } from '@roost/testkit/rigs/requirements';
import type { ObservedStage } from './prove-observed.contract.ts';

/** One row of the matrix. */
export type AgentStage = {
	readonly id: string;
	readonly title: string;
	readonly requirement: Requirement;
	/** Of the program that is tested. */
	version(): Promise<string>;
	readonly open: OpenAgentRig;
	readonly words: AgentWords;
	/** What every session of it is asked for. */
	readonly request?: Partial<DrivenRequest>;
	/** How the program itself is started, for those who put something in front of it. */
	program(): readonly [string, ...string[]];
	/** A line in the form of its protocol that no version of it says, with `UNKNOWN_WORD` in it. */
	readonly unknownLine: string;
	/** How its user's own sessions come on record; where they do not, why. */
	readonly observed: ObservedStage | string;
	/** Deploys a guard for this agent and proves that it fires. */
	canary(rig: ConformanceRig): Promise<CanaryOutcome>;
};

export type CanaryOutcome = { guarded: true } | { guarded: false; reason: string };

/** By this it is found again in what Roost makes of it. */
export const UNKNOWN_WORD = 'word-of-tomorrow';
