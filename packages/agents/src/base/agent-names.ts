// The agents that Roost knows, one row each. Nothing else is in here: the command line reads it at every start.

export type AgentName = {
	/** The name it is asked for by. */
	readonly id: string;
	/** As people know it. */
	readonly title: string;
	/** How it runs once without a terminal, as an example; null where nobody is observed in a terminal of their own. */
	readonly once: string | null;
};

/** In the order in which they are shown. The compiler asks for the kind of each (`kinds.ts`). */
export const AGENT_NAMES = [
	{ id: 'claude', title: 'Claude Code', once: '-p "explain this repository"' },
	{ id: 'codex', title: 'Codex', once: 'exec "explain this repository"' },
	{ id: 'pi', title: 'Pi', once: '-p "explain this repository"' },
	{ id: 'copilot', title: 'GitHub Copilot', once: '-p "explain this repository"' },
] as const satisfies readonly AgentName[];

export type AgentId = (typeof AGENT_NAMES)[number]['id'];

export const AGENT_IDS: readonly AgentId[] = AGENT_NAMES.map(({ id }) => id);

/** Those whose user starts them, and who report to Roost. */
export const OBSERVED_IDS: readonly AgentId[] = AGENT_NAMES.filter(({ once }) => once !== null).map(({ id }) => id);

/** Where nobody names one, and what files of earlier versions mean, which knew no other. */
export const DEFAULT_AGENT: AgentId = 'claude';
