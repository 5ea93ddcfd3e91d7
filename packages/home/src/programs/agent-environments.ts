// What each of the agents that Roost knows finds in its environment, by name.
import type { RuntimeConfig } from '@roost/agents/kind/agent-kind';
import { findKind } from '@roost/agents/kinds';
import type { RunnerConfig } from '../config/schema.ts';

/** What a user configured of agents. */
export type AgentsConfig = { agents: RunnerConfig['agents']; runtime: RuntimeConfig };

/** By the agent's name and by the mark of the session that it is started for. */
export type AgentEnvironments = (id: string, session: string) => Record<string, string>;

/** Nothing at all for an agent that nobody here knows. */
export function createAgentEnvironments(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): AgentEnvironments {
	return (id, session) => findKind(id)?.environment({ processEnv: env, configured: agents[id]?.env ?? {}, session }) ?? {};
}
