// What the claude of a session does right now: by its status file, else by what its hooks told, else by its screen.
import { type StatusEvidence, toClaudeStatus } from '@roost/agents/claude/status/claude-status';
import { findStatus } from '@roost/agents/claude/status/find-status';
import { statusOfScreen } from '@roost/agents/claude/status/status-of-screen';
import { claudeConfigFolder } from '@roost/agents/claude/transcript/transcript-folders';
import type { AgentStatus } from '@roost/protocol/api/agent-status';
import type { SessionRow } from '@roost/protocol/session-row';
import type { RunnerConfig } from '../config/schema.ts';
import type { TerminalScreen, Terminals } from '../terminals/terminals.ts';

export type ReadAgentStatus = (session: SessionRow) => Promise<AgentStatus | undefined>;

/** Undefined for a session that has ended, and for agents that tell nothing of the kind. */
export function createAgentStatus(deps: {
	env: NodeJS.ProcessEnv;
	agents: RunnerConfig['agents'];
	terminals: Pick<Terminals, 'screenOf'>;
	now: () => number;
}): ReadAgentStatus {
	const { env, agents, terminals, now } = deps;
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
		const terminal = terminals.screenOf(session.id);
		const at = now();
		return toClaudeStatus({ file, hooks: toHookEvidence(session, terminal), screen: toScreenEvidence(terminal, at) }, at);
	};
}

/** Those that Roost starts have what is configured for them; others have what the user has. */
export function claudeFolders(env: NodeJS.ProcessEnv, agents: RunnerConfig['agents']): ReadonlySet<string> {
	return new Set([claudeConfigFolder({ ...env, ...agents.claude?.env }), claudeConfigFolder(env)]);
}

/** The session is told of its terminal this long after it opened; no claude starts as fast. */
const OPENING_MS = 100;

/** What hooks told is in the record. What was told before its terminal opened, another claude had told. */
function toHookEvidence({ status, lastEventAt: at }: SessionRow, terminal: TerminalScreen | null): StatusEvidence | null {
	if (terminal && at - terminal.openedAt < OPENING_MS) return null;
	if (status === 'working') return { status: 'busy', at };
	return { status: status === 'waiting' ? 'waiting' : 'idle', at };
}

function toScreenEvidence(terminal: TerminalScreen | null, at: number): StatusEvidence | null {
	if (!terminal) return null;
	const { status, waitingFor } = statusOfScreen(terminal.lines);
	return status === 'unknown' ? null : { status, waitingFor, at };
}
