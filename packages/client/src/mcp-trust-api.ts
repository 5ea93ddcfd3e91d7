// Trust in the MCP servers that projects bring, over HTTP.
import {
	type McpTrusted,
	mcpTrusted,
	type ProjectMcp,
	projectMcp,
	type TrustMcpBody,
	type UntrustMcpBody,
} from '@roost/protocol/api/mcp-trust';
import type { Result } from '@roost/protocol/result';
import { API, type ApiCall } from './api-call.ts';

export type McpTrustApi = {
	/** What the project of a folder brings, and which of it is trusted. */
	list(folder: string): Promise<Result<ProjectMcp>>;
	/** With the hash of what was shown; a server that changed since is a `conflict`. */
	trust(body: TrustMcpBody): Promise<Result<McpTrusted>>;
	untrust(body: UntrustMcpBody): Promise<Result<McpTrusted>>;
};

const PATH = [...API, 'projects', 'mcp'] as const;

export function mcpTrustApi(call: ApiCall): McpTrustApi {
	return {
		list: (folder) => call({ method: 'GET', path: PATH, query: { project: folder } }, projectMcp),
		trust: (body) => call({ method: 'POST', path: [...PATH, 'trust'], body }, mcpTrusted),
		untrust: (body) => call({ method: 'POST', path: [...PATH, 'untrust'], body }, mcpTrusted),
	};
}
