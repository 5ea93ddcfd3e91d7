// The short name of a tool.

const MCP = /^mcp__(.+?)__(.+)$/u;

/** Tools of MCP servers by server and tool. */
export function toolName(name: string): string {
	const [, server, tool] = MCP.exec(name) ?? [];
	return server === undefined ? name : `${server}/${tool}`;
}

export function isMcp(name: string): boolean {
	return MCP.test(name);
}
