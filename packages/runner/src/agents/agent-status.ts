// What the agent of a session does right now: by its status file, else by what its hooks told, else by its screen.
import type { StatusEvidence, StatusSource } from '@roost/agents/base/status-source';
import { findKind } from '@roost/agents/kinds';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionRow } from '@roost/protocol/session-row';
import type { OpenIn } from '../driven/other-writer.ts';
import type { TerminalScreen, Terminals } from '../terminals/terminals.ts';
import type { HookReports } from './hook-reports.ts';

export type ReadAgentStatus = (session: SessionRow) => Promise<AgentStatus | undefined>;

/** Undefined where no agent is left that could do anything, as the record says, and for agents that tell nothing of the kind. */
export function createAgentStatus(deps: {
	env: NodeJS.ProcessEnv;
	agents: RunnerConfig['agents'];
	reports: Pick<HookReports, 'last'>;
	terminals: Pick<Terminals, 'screenOf'>;
	now: () => number;
}): ReadAgentStatus {
	const { env, agents, reports, terminals, now } = deps;

	async function findFile(agent: string, source: StatusSource, nativeIds: readonly string[]): Promise<StatusEvidence | null> {
		for (const folder of statusFolders(agent, source, env, agents)) {
			const found = await source.findFile(folder, nativeIds);
			if (found) return found;
		}
		return null;
	}

	return async (session) => {
		const source = findKind(session.agent)?.status;
		if (!source || session.status === 'ended') return undefined;
		const nativeIds = session.nativeIds.map(({ id }) => id);
		const file = await findFile(session.agent, source, nativeIds);
		// Somebody may have taken it up elsewhere: only its file tells of that.
		if (session.status === 'interrupted' && !file) return undefined;
		const terminal = terminals.screenOf(session.id);
		const at = now();
		const hooks = sinceOpened(reports.last(session.id), terminal);
		return source.weigh({ file, hooks, screen: toScreenEvidence(source, terminal, at) }, at);
	};
}

/** Those that Roost starts have what is configured for them; others have what the user has. */
function statusFolders(
	agent: string,
	source: StatusSource,
	env: NodeJS.ProcessEnv,
	agents: RunnerConfig['agents'],
): readonly string[] {
	return [...new Set([source.folder({ ...env, ...agents[agent]?.env }), source.folder(env)])];
}

/** What was told before its terminal opened, another agent had told. */
function sinceOpened(told: StatusEvidence | null, terminal: TerminalScreen | null): StatusEvidence | null {
	return told && terminal && told.at < terminal.openedAt ? null : told;
}

function toScreenEvidence(source: StatusSource, terminal: TerminalScreen | null, at: number): StatusEvidence | null {
	if (!terminal) return null;
	const { status, waitingFor } = source.readScreen(terminal.lines);
	return status === 'unknown' ? null : { status, waitingFor, at };
}

export function createOpenIn({ env, agents }: { env: NodeJS.ProcessEnv; agents: RunnerConfig['agents'] }): OpenIn {
	return async (agent, nativeId) => {
		const source = findKind(agent)?.status;
		if (!source) return [];
		const folders = statusFolders(agent, source, env, agents);
		return (await Promise.all(folders.map((folder) => source.findOpen(folder, nativeId)))).flat();
	};
}
