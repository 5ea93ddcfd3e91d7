// What each of the agents that Roost knows finds in its environment, by name.
import type { ToAgentEnvironment } from '@roost/agents/agent-environment';
import { toAgentEnvironment } from '@roost/agents/claude/sdk/agent-environment';
import { toCodexEnvironment } from '@roost/agents/codex/codex-environment';
import { toCopilotEnvironment } from '@roost/agents/copilot/copilot-environment';
import { toPiEnvironment } from '@roost/agents/pi/pi-environment';
import type { RuntimeConfig } from '@roost/agents/registry';
import type { RunnerConfig } from '../config/schema.ts';

const ROWS: ReadonlyMap<string, ToAgentEnvironment> = new Map<string, ToAgentEnvironment>([
	['claude', toAgentEnvironment],
	['codex', toCodexEnvironment],
	['pi', toPiEnvironment],
	['copilot', toCopilotEnvironment],
]);

/** What a user configured of agents. */
export type AgentsConfig = { agents: RunnerConfig['agents']; runtime: RuntimeConfig };

/** By the agent's name and by the mark of the session that it is started for. */
export type AgentEnvironments = (id: string, session: string) => Record<string, string>;

/** Nothing at all for an agent without a row. */
export function createAgentEnvironments(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): AgentEnvironments {
	return (id, session) => ROWS.get(id)?.({ processEnv: env, configured: agents[id]?.env ?? {}, session }) ?? {};
}
