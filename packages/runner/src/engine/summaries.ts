// At the end of a session, reads from its transcript what the agent did not report, if its kind supports that.

import type { SessionTranscript } from '@roost/agents/base/transcripts';
import { findKind } from '@roost/agents/kinds';
import type { Fact } from '@roost/core/feed/mapper';

/** Of a session of this agent. */
export type AgentTranscript = SessionTranscript & { agent: string };

/** The facts to record; that a transcript cannot be read is one of them. */
export type Summarise = (transcript: AgentTranscript) => Promise<Fact[]>;

export const summariseTranscript: Summarise = async ({ agent, ...transcript }) =>
	(await findKind(agent)?.summarise(transcript)) ?? [];
