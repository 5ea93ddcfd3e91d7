// The agents on the machine, and Claude's plugins and MCP servers, which run with the rights of the user.
import { z } from 'zod';
import { commandOutput, commandProgress, projectFolder } from '../api/agent-commands.ts';
import { agentRow, proveAgentsBody } from '../api/agents.ts';
import { commandId } from '../api/driving.ts';
import { addServerBody, authServerBody, mcpServerDetail, mcpServerList, removeServerBody, serverName } from '../api/mcp.ts';
import { mcpTrusted, projectMcp, projectMcpQuery, trustMcpBody, untrustMcpBody } from '../api/mcp-trust.ts';
import {
	addMarketplaceBody,
	marketplaceList,
	pluginBody,
	pluginList,
	removeMarketplaceBody,
	updateMarketplaceBody,
} from '../api/plugins.ts';
import { API, defineOperation, yesOrNo } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const change = { method: 'POST', needs: 'own', from: 'machine', command: true, outside: true } as const;
const inProject = z.strictObject({ project: projectFolder });

export const agents = {
	list: defineOperation({
		...read,
		path: `${API}/agents`,
		summary: 'The agents that Roost supports: which are installed, in which version, and what each can do',
		reply: z.array(agentRow).readonly(),
	}),
	prove: defineOperation({
		...change,
		path: `${API}/agents/prove`,
		progress: true,
		summary: 'Test the permission hook of each installed agent by starting it once, which takes seconds',
		body: proveAgentsBody,
		reply: z.array(agentRow).readonly(),
	}),
} as const;

const pluginsPath = `${API}/plugins`;
const plugin = { ...change, progress: true, body: pluginBody, reply: commandOutput } as const;

export const plugins = {
	list: defineOperation({
		...read,
		path: pluginsPath,
		summary: 'Installed plugins; with available=true also those that the marketplaces offer',
		query: inProject.extend({ available: yesOrNo.optional() }),
		reply: pluginList,
	}),
	install: defineOperation({
		...plugin,
		path: `${pluginsPath}/install`,
		summary: 'Install a plugin; its code runs with the rights of the user',
	}),
	enable: defineOperation({ ...plugin, path: `${pluginsPath}/enable`, summary: 'Enable a plugin' }),
	disable: defineOperation({ ...plugin, path: `${pluginsPath}/disable`, summary: 'Disable a plugin; it stays installed' }),
	update: defineOperation({ ...plugin, path: `${pluginsPath}/update`, summary: 'Update a plugin' }),
	uninstall: defineOperation({ ...plugin, path: `${pluginsPath}/uninstall`, summary: 'Uninstall a plugin' }),
} as const;

const marketplacesPath = `${pluginsPath}/marketplaces`;
const marketplace = { ...change, progress: true, reply: commandOutput } as const;

export const marketplaces = {
	list: defineOperation({
		...read,
		path: marketplacesPath,
		summary: 'List marketplaces',
		query: inProject,
		reply: marketplaceList,
	}),
	add: defineOperation({
		...marketplace,
		path: `${marketplacesPath}/add`,
		summary: 'Add a marketplace',
		body: addMarketplaceBody,
	}),
	remove: defineOperation({
		...marketplace,
		path: `${marketplacesPath}/remove`,
		summary: 'Remove a marketplace',
		body: removeMarketplaceBody,
	}),
	update: defineOperation({
		...marketplace,
		path: `${marketplacesPath}/update`,
		summary: 'Update a marketplace; without a name, all of them',
		body: updateMarketplaceBody,
	}),
} as const;

const mcpPath = `${API}/mcp`;
const ofServer = z.strictObject({ name: serverName });

export const mcp = {
	list: defineOperation({
		...read,
		path: mcpPath,
		summary: 'List MCP servers and their status',
		query: inProject,
		reply: mcpServerList,
	}),
	show: defineOperation({
		...read,
		path: `${mcpPath}/:name`,
		summary: 'One MCP server; only the names of its variables and headers',
		params: ofServer,
		query: inProject,
		reply: mcpServerDetail,
	}),
	add: defineOperation({
		...change,
		path: mcpPath,
		summary: 'Add an MCP server; it runs with the rights of the user',
		body: addServerBody,
		reply: commandOutput,
	}),
	remove: defineOperation({
		...change,
		path: `${mcpPath}/:name/remove`,
		summary: 'Remove an MCP server',
		params: ofServer,
		body: removeServerBody,
		reply: commandOutput,
	}),
	logIn: defineOperation({
		...change,
		path: `${mcpPath}/:name/auth`,
		progress: true,
		summary: 'Log in to an MCP server; its progress shows the address to open',
		params: ofServer,
		body: authServerBody,
		reply: commandOutput,
	}),
} as const;

const projectMcpPath = `${API}/projects/mcp`;
const trust = { method: 'POST', needs: 'own', from: 'machine', reply: mcpTrusted } as const;

export const projectServers = {
	list: defineOperation({
		...read,
		path: projectMcpPath,
		summary: 'The MCP servers that a project configures, and which are trusted',
		query: projectMcpQuery,
		reply: projectMcp,
	}),
	trust: defineOperation({
		...trust,
		path: `${projectMcpPath}/trust`,
		summary: 'Trust a server exactly as it was shown; 409 if it has changed',
		body: trustMcpBody,
	}),
	untrust: defineOperation({
		...trust,
		path: `${projectMcpPath}/untrust`,
		summary: 'Revoke trust in a server',
		body: untrustMcpBody,
	}),
} as const;

export const commands = {
	progress: defineOperation({
		...read,
		path: `${API}/commands/:id`,
		summary: 'Progress of a long-running command',
		params: z.strictObject({ id: commandId }),
		reply: commandProgress,
	}),
} as const;
