// The agents that Roost knows by the programs that they are.
import type { KnownAgent } from './agent-kind.ts';
import { AGENT_KINDS } from './kinds.ts';

export const KNOWN_AGENTS: readonly KnownAgent[] = AGENT_KINDS.map(({ known }) => known);
