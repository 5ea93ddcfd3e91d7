// The agents that this runner can start itself: one row for each, made as the user configured it.
import { toModelName } from '@roost/agents/models';
import type { DrivableAgent } from '@roost/core/runtime/connection';
import { findAgent, type WantedAgent } from '../agents/find-agent.ts';
import type { AgentSetting, DrivableDeps } from './agent-setting.ts';
import { openClaudeAgent } from './claude-agent.ts';
import type { DrivableAgents } from './may-drive.ts';
import { openPiAgent } from './pi-agent.ts';
import { withModelNames } from './with-model-names.ts';

type Row = Omit<WantedAgent, 'id'> & { open: (setting: AgentSetting) => DrivableAgent };

const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
	['claude', { title: 'Claude Code', program: 'claude', open: openClaudeAgent }],
	['pi', { title: 'Pi', program: 'pi', open: openPiAgent }],
]);

export function openDrivable(deps: DrivableDeps): DrivableAgents {
	const made = new Map<string, { program: string; agent: DrivableAgent }>();

	return {
		keys: () => ROWS.keys(),
		get(id) {
			const row = ROWS.get(id);
			if (!row) return undefined;
			const setting = toSetting(deps, { id, ...row });
			// One that came, went or moved since is heeded without a new start of the runner.
			const program = JSON.stringify([setting.command, setting.unavailable]);
			const known = made.get(id);
			if (known?.program === program) return known.agent;
			const agent = withModelNames(row.open(setting), (model) => toModelName(id, model, deps.config.runtime));
			made.set(id, { program, agent });
			return agent;
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
