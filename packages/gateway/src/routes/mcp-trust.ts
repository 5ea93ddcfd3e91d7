// MCP servers that a project brings: what they would run, and the user's word on whether they may.
import { mcpTrusted, projectMcp, projectMcpQuery, trustMcpBody, untrustMcpBody } from '@roost/protocol/api/mcp-trust';
import { ok } from '@roost/protocol/result';
import type { McpTrustDesk } from '../backend.ts';
import { jsonReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export function mcpTrustRoutes(desk: McpTrustDesk): Route[] {
	const shape = { path: '/api/v1/projects/mcp', access: 'any', status: 200, params: nothing } as const;
	const list = defineRoute(
		{
			...shape,
			method: 'GET',
			summary: 'The MCP servers that a project brings, and which of them are trusted',
			query: projectMcpQuery,
			body: noBody,
			reply: projectMcp,
		},
		async ({ query }) => {
			const listed = await desk.list(query.project);
			return listed.ok ? ok(jsonReply(listed.value)) : listed;
		},
	);
	const trust = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${shape.path}/trust`,
			summary: 'Trust one of them exactly as it was shown; 409 where it has changed since',
			query: nothing,
			body: trustMcpBody,
			reply: mcpTrusted,
		},
		async ({ body, caller }) => {
			const trusted = await desk.trust(body, caller.principal);
			return trusted.ok ? ok(jsonReply(trusted.value)) : trusted;
		},
	);
	const untrust = defineRoute(
		{
			...shape,
			method: 'POST',
			path: `${shape.path}/untrust`,
			summary: 'Take that trust back',
			query: nothing,
			body: untrustMcpBody,
			reply: mcpTrusted,
		},
		async ({ body, caller }) => {
			const untrusted = await desk.untrust(body, caller.principal);
			return untrusted.ok ? ok(jsonReply(untrusted.value)) : untrusted;
		},
	);
	return [list, trust, untrust];
}
