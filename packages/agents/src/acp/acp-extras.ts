// What one agent has beyond the protocol. An agent of which nothing is known has nothing.
import type { DrivenRequest } from '@roost/core/runtime/connection';
import { ok, type Result } from '@roost/protocol/result';
import type { Opened } from '../live/live-agent.ts';
import type { TurnEnd } from '../live/turns.ts';
import type { AcpCalls } from './acp-calls.ts';
import type { Initialized } from './acp-messages.ts';

export type AcpExtras = {
	/** Before it is started: with what else, or the sentence that says why not. */
	prepare(request: DrivenRequest, calls: AcpCalls): Promise<Result<Prepared>>;
	/** Whether what answered is the agent that was meant, in a version that will do: else a sentence. */
	accept(agent: Initialized): string | null;
	/** What is known of a session once it is open. */
	describe(nativeId: string, request: DrivenRequest): Opened;
	/** A call began, of which more is known from now on. */
	callBegan(): void;
	/** Words that must not reach it, as a sentence; null for all others. */
	refusePrompt(text: string): string | null;
	/** It says by itself what was used. */
	tellsUsage: boolean;
	/** Told before the end of a turn is: it may know better how that ended. */
	afterTurn(nativeId: string, end: TurnEnd): Promise<TurnEnd>;
};

export type Prepared = { argv: readonly string[]; env: Readonly<Record<string, string>>; release: () => void };

export const NO_EXTRAS: AcpExtras = {
	prepare: async () => ok({ argv: [], env: {}, release: () => {} }),
	accept: () => null,
	describe: (nativeId, { model }) => ({ nativeId, model }),
	callBegan: () => {},
	refusePrompt: () => null,
	tellsUsage: false,
	afterTurn: async (_nativeId, end) => end,
};
