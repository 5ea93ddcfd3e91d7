// The environment of each known agent.
import type { RuntimeConfig } from '@roost/agents/kind/agent-kind';
import { findKind } from '@roost/agents/kinds';
import type { RunnerConfig } from '../config/schema.ts';

export type AgentsConfig = { agents: RunnerConfig['agents']; runtime: RuntimeConfig };

/** By agent and by the session it is started for. */
export type AgentEnvironments = (id: string, session: string) => Record<string, string>;

/** Empty for an unknown agent. */
export function createAgentEnvironments(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): AgentEnvironments {
	return (id, session) => findKind(id)?.environment({ processEnv: env, configured: agents[id]?.env ?? {}, session }) ?? {};
}
