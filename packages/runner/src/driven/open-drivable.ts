// The agents that this runner can start itself: one row for each, made as the user configured it.
import { toModelName } from '@roost/agents/models';
import { getRuntime } from '@roost/agents/registry';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findAgent } from '../agents/find-agent.ts';
import type { RunnerConfig } from '../config/schema.ts';
import { openClaudeAgent } from './claude-agent.ts';
import type { DrivableAgents } from './may-drive.ts';
import type { McpTrust } from './mcp-trust.ts';
import { withModelNames } from './with-model-names.ts';

export type DrivableDeps = { env: NodeJS.ProcessEnv; config: RunnerConfig; mcpTrust: McpTrust };

type OpenAgent = (deps: DrivableDeps) => DrivableAgent;

const ROWS: ReadonlyMap<string, OpenAgent> = new Map<string, OpenAgent>([['claude', openClaudeAgent]]);

export function openDrivable(deps: DrivableDeps): DrivableAgents {
	const { env, config } = deps;
	const made = new Map<string, { program: string; agent: DrivableAgent }>();

	/** Which program it is now: one that came, went or moved since is heeded without a new start of the runner. */
	function programOf(name: string): string {
		const runtime = getRuntime(name, config.runtime);
		const found = runtime.ok ? findAgent(runtime.value, config.agents[name]?.command, env) : runtime;
		return found.ok ? JSON.stringify(found.value) : found.error.message;
	}

	return {
		keys: () => ROWS.keys(),
		get(name) {
			const open = ROWS.get(name);
			if (!open) return undefined;
			const program = programOf(name);
			const known = made.get(name);
			if (known?.program === program) return known.agent;
			const agent = withModelNames(open(deps), (model) => toModelName(name, model, config.runtime));
			made.set(name, { program, agent });
			return agent;
		},
	};
}
