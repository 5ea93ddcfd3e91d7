// MCP servers of Claude. Every change is made once for each id; a login can be watched for the address to open.
import { commandOutput, projectFolder } from '@roost/protocol/api/claude-commands';
import {
	addServerBody,
	authServerBody,
	mcpServerDetail,
	mcpServerList,
	removeServerBody,
	serverName,
} from '@roost/protocol/api/mcp';
import { z } from 'zod';
import type { McpDesk } from '../backend.ts';
import type { CommandBoard } from '../command-board.ts';
import type { Once } from '../once.ts';
import { type Reply, toReply } from '../reply.ts';
import { defineRoute, noBody, nothing, type Route } from '../route.ts';

export type McpRouteDeps = { mcp: McpDesk; once: Once<Reply>; board: CommandBoard };

export function mcpRoutes(deps: McpRouteDeps): Route[] {
	return [...readRoutes(deps), ...changeRoutes(deps)];
}

const path = '/api/v1/mcp';
const ofServer = z.strictObject({ name: serverName });
const inProject = z.strictObject({ project: projectFolder });
const shape = { access: 'any', status: 200, params: ofServer, query: nothing } as const;
const change = { ...shape, method: 'POST', reply: commandOutput } as const;

function readRoutes({ mcp }: McpRouteDeps): Route[] {
	const read = { ...shape, method: 'GET', query: inProject, body: noBody } as const;
	const list = defineRoute(
		{ ...read, path, summary: 'MCP servers, each asked how it is', params: nothing, reply: mcpServerList },
		async ({ query }) => toReply(await mcp.list(query)),
	);
	const get = defineRoute(
		{
			...read,
			path: `${path}/:name`,
			summary: 'One MCP server; of its variables and headers only the names',
			reply: mcpServerDetail,
		},
		async ({ params, query }) => toReply(await mcp.get({ ...query, ...params })),
	);
	return [list, get];
}

function changeRoutes({ mcp, once, board }: McpRouteDeps): Route[] {
	const add = defineRoute(
		{ ...change, path, summary: 'Add an MCP server; it runs with the rights of the user', params: nothing, body: addServerBody },
		({ body: { commandId: id, ...server } }) => once.run(id, ['mcp add', server], async () => toReply(await mcp.add(server))),
	);
	const remove = defineRoute(
		{ ...change, path: `${path}/:name/remove`, summary: 'Remove an MCP server', body: removeServerBody },
		({ params, body: { commandId: id, ...body } }) =>
			once.run(id, ['mcp remove', params, body], async () => toReply(await mcp.remove({ ...body, ...params }))),
	);
	const auth = defineRoute(
		{
			...change,
			path: `${path}/:name/auth`,
			summary: 'Log in to an MCP server: answers when somebody has, and its progress says where',
			body: authServerBody,
		},
		({ params, body: { commandId: id, ...body } }) =>
			once.run(id, ['mcp auth', params, body], async () =>
				toReply(await board.run(id, (tell) => mcp.logIn({ ...body, ...params }, tell))),
			),
	);
	return [add, remove, auth];
}
