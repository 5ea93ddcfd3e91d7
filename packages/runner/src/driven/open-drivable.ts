// The agents that this runner can start itself: one row for each, made as the user configured it.
import { KNOWN_AGENTS } from '@roost/agents/known-agents';
import { toModelName } from '@roost/agents/models';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { isAcpName } from '../agents/acp-command.ts';
import { findAgent, type WantedAgent } from '../agents/find-agent.ts';
import { openAcpAgent, openNamedAcpAgent } from './acp-agent.ts';
import type { AgentSetting, DrivableDeps } from './agent-setting.ts';
import { openClaudeAgent } from './claude-agent.ts';
import { openCodexAgent } from './codex-agent.ts';
import { openCopilotAgent } from './copilot-agent.ts';
import type { DrivableAgents } from './may-drive.ts';
import { openPiAgent } from './pi-agent.ts';
import { withModelNames } from './with-model-names.ts';

type OpenAgent = (setting: AgentSetting) => DrivableAgent;

const ROWS: ReadonlyMap<string, OpenAgent> = new Map<string, OpenAgent>([
	['claude', openClaudeAgent],
	['codex', openCodexAgent],
	['pi', openPiAgent],
	['copilot', openCopilotAgent],
]);

/** Beside those with a row: what the user configured by another name, and whatever is named by its command. Both speak ACP. */
export function openDrivable(deps: DrivableDeps): DrivableAgents {
	const made = new Map<string, { program: string; agent: DrivableAgent }>();
	const others = Object.keys(deps.config.agents).filter((id) => !ROWS.has(id) && deps.config.agents[id]?.command);

	/** One whose program came, went or moved since is made anew, without a new start of the runner. */
	function make(id: string, open: OpenAgent): DrivableAgent {
		const setting = toSetting(deps, KNOWN_AGENTS.find((known) => known.id === id) ?? { id, title: id, program: id });
		const program = JSON.stringify([setting.command, setting.unavailable]);
		const known = made.get(id);
		if (known?.program === program) return known.agent;
		const agent = withModelNames(open(setting), (model) => toModelName(id, model, deps.config.runtime));
		made.set(id, { program, agent });
		return agent;
	}

	return {
		keys: () => [...ROWS.keys(), ...others].values(),
		get(id) {
			if (isAcpName(id)) return openNamedAcpAgent(id, deps);
			const open = ROWS.get(id);
			if (open) return make(id, open);
			return others.includes(id) ? make(id, (setting) => openAcpAgent(id, setting)) : undefined;
		},
	};
}

function toSetting(deps: DrivableDeps, wanted: WantedAgent): AgentSetting {
	const { command, env: configured = {} } = deps.config.agents[wanted.id] ?? {};
	const found = findAgent(wanted, command, deps.env);
	return {
		...deps,
		configured,
		command: found.ok ? found.value : [wanted.program],
		unavailable: found.ok ? undefined : found.error.message,
	};
}
