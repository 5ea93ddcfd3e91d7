// The names of the agents that Roost knows, apart from all else that it knows of them: every command reads the configuration.

export const AGENT_IDS: readonly string[] = ['claude', 'codex', 'pi', 'copilot'];
