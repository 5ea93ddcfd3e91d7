// What a driven Claude is given of the place it works in, because a repository's own settings decide nothing.
import type { McpServerConfig } from '@anthropic-ai/claude-agent-sdk';

export type Surroundings = {
	/** The CLAUDE.md texts that Claude Code itself would have read, in its order, each with its path. */
	instructions: string;
	/** The user's own servers, and those of the project that the user trusts. */
	mcpServers: Record<string, McpServerConfig>;
	/** One sentence for each thing of the repository that has no effect here, such as its hooks or permission rules. */
	leftOut: readonly string[];
};

/** Never fails: what cannot be read is said in `leftOut`. */
export type ReadSurroundings = (cwd: string) => Promise<Surroundings>;
