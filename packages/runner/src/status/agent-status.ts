// What the claude of a session does right now: by its status file, else by what its hooks told, else by its screen.
import { type StatusEvidence, toClaudeStatus } from '@roost/agents/claude/status/claude-status';
import { findStatus } from '@roost/agents/claude/status/find-status';
import { statusOfScreen } from '@roost/agents/claude/status/status-of-screen';
import { claudeConfigFolder } from '@roost/agents/claude/transcript/transcript-folders';
import type { RunnerConfig } from '@roost/home/config/schema';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionRow } from '@roost/protocol/session-row';
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
	const folders = claudeFolders(env, agents);

	async function findFile(nativeIds: readonly string[]): Promise<StatusEvidence | null> {
		for (const folder of folders) {
			const found = await findStatus(folder, nativeIds);
			if (found) return found;
		}
		return null;
	}

	return async (session) => {
		if (session.agent !== 'claude' || session.status === 'ended') return undefined;
		const file = await findFile(session.nativeIds.map(({ id }) => id));
		// Somebody may have taken it up elsewhere: only its file tells of that.
		if (session.status === 'interrupted' && !file) return undefined;
		const terminal = terminals.screenOf(session.id);
		const at = now();
		const hooks = sinceOpened(reports.last(session.id), terminal);
		return toClaudeStatus({ file, hooks, screen: toScreenEvidence(terminal, at) }, at);
	};
}

/** Those that Roost starts have what is configured for them; others have what the user has. */
export function claudeFolders(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): ReadonlySet<string> {
	return new Set([claudeConfigFolder({ ...env, ...agents.claude?.env }), claudeConfigFolder(env)]);
}

/** What was told before its terminal opened, another claude had told. */
function sinceOpened(told: StatusEvidence | null, terminal: TerminalScreen | null): StatusEvidence | null {
	return told && terminal && told.at < terminal.openedAt ? null : told;
}

function toScreenEvidence(terminal: TerminalScreen | null, at: number): StatusEvidence | null {
	if (!terminal) return null;
	const { status, waitingFor } = statusOfScreen(terminal.lines);
	return status === 'unknown' ? null : { status, waitingFor, at };
}
