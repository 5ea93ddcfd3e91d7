// The agents that Roost knows. Nothing else belongs here: the command line reads it at every start.

export type AgentName = {
	readonly id: string;
	readonly title: string;
	/** Example arguments for one run without a terminal; null for agents that are not observed. */
	readonly once: string | null;
};

/** In display order. The compiler requires a kind for each (`kinds.ts`). */
export const AGENT_NAMES = [
	{ id: 'claude', title: 'Claude Code', once: '-p "explain this repository"' },
	{ id: 'codex', title: 'Codex', once: 'exec "explain this repository"' },
	{ id: 'pi', title: 'Pi', once: '-p "explain this repository"' },
	{ id: 'copilot', title: 'GitHub Copilot', once: '-p "explain this repository"' },
] as const satisfies readonly AgentName[];

export type AgentId = (typeof AGENT_NAMES)[number]['id'];

export const AGENT_IDS: readonly AgentId[] = AGENT_NAMES.map(({ id }) => id);

/** Agents that users start themselves and that report to Roost. */
export const OBSERVED_IDS: readonly AgentId[] = AGENT_NAMES.filter(({ once }) => once !== null).map(({ id }) => id);

/** The default, also for files of earlier versions, which knew no other agent. */
export const DEFAULT_AGENT: AgentId = 'claude';
