// The agents that this runner can drive, as the user configured them.
import type { AgentKind, DriveSetting } from '@roost/agents/kind/agent-kind';
import { AGENT_KINDS, findKind, toModelName } from '@roost/agents/kinds';
import { driveCommand, driveOther } from '@roost/agents/other-agents';
import { programFile } from '@roost/core/process/program-files';
import type { Connection, DrivableAgent, DrivenRequest } from '@roost/core/runtime/connection';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { McpTrust } from '@roost/home/mcp-trust';
import { findAgent, type WantedAgent } from '@roost/home/programs/agent-runs';
import { VERSION } from '@roost/home/version';
import type { Result } from '@roost/protocol/result';
import type { DrivableAgents } from './may-drive.ts';

export type DrivableDeps = {
	env: NodeJS.ProcessEnv;
	config: RunnerConfig;
	mcpTrust: McpTrust;
	/** A private folder for sockets. */
	runDir: string;
	/** All known kinds by default. */
	kinds?: readonly AgentKind[] | undefined;
};

type OpenAgent = (setting: DriveSetting) => DrivableAgent;

/** Known kinds, agents that the user configured under other names, and commands. The latter two use ACP. */
export function openDrivable(deps: DrivableDeps): DrivableAgents {
	const made = new Map<string, { program: string; agent: DrivableAgent }>();
	const { kinds = AGENT_KINDS } = deps;
	const others = Object.keys(deps.config.agents).filter((id) => !findKind(id, kinds) && deps.config.agents[id]?.command);

	/** Created again if its program was installed, removed or moved. */
	function make(id: string, open: OpenAgent): DrivableAgent {
		const setting = toSetting(deps, findKind(id, kinds)?.known ?? { id, title: id, program: id });
		const program = JSON.stringify([setting.command, setting.unavailable]);
		const known = made.get(id);
		if (known?.program === program) return known.agent;
		const agent = withModelNames(open(setting), (model) => toModelName(id, model, deps.config.runtime));
		made.set(id, { program, agent });
		return agent;
	}

	return {
		keys: () => [...kinds.map(({ known }) => known.id), ...others].values(),
		get(id) {
			const kind = findKind(id, kinds);
			if (kind) return make(id, kind.drive);
			return others.includes(id) ? make(id, (setting) => driveOther(id, setting)) : driveCommand(id, deps);
		},
	};
}

function toSetting(deps: DrivableDeps, wanted: WantedAgent): DriveSetting {
	const { command, env: configured = {} } = deps.config.agents[wanted.id] ?? {};
	const found = findAgent(wanted, command, deps.env);
	return {
		...deps,
		configured,
		forwarder: {
			node: process.execPath,
			script: programFile('forwarder'),
			askMs: deps.config.sdk.approvalTimeoutMs,
		},
		version: VERSION,
		command: found.ok ? found.value : [wanted.program],
		unavailable: found.ok ? undefined : found.error.message,
	};
}

/** Translates the user's model names to the agent's own. The record has the user's names. */
export function withModelNames(agent: DrivableAgent, toModelName: (model: string) => Result<string>): DrivableAgent {
	const named = (model: string) => {
		const name = toModelName(model);
		return name.ok ? name.value : model;
	};
	const meant = (request: DrivenRequest): DrivenRequest =>
		request.model === undefined ? request : { ...request, model: named(request.model) };
	return {
		...agent,
		refuse(request) {
			const name = request.model === undefined ? undefined : toModelName(request.model);
			return name && !name.ok ? name.error.message : agent.refuse(meant(request));
		},
		open(request) {
			const { runtime, connection } = agent.open(meant(request));
			const control: Connection['control'] = (command) =>
				connection.control(command.type === 'model' ? { ...command, model: named(command.model) } : command);
			const models: Connection['models'] = async () => {
				const choice = await connection.models();
				return choice && { ...choice, has: (model) => choice.has(named(model)) };
			};
			return { runtime, connection: { ...connection, control, models } };
		},
	};
}
