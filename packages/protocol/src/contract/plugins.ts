// Claude's plugins and MCP servers, which run with the rights of the user.
import { z } from 'zod';
import { commandOutput, projectFolder } from '../api/agent-commands.ts';
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
import { operation, yesOrNo } from './operation.ts';

const read = { method: 'GET', needs: 'view', from: 'machine' } as const;
const trust = { method: 'POST', needs: 'own', from: 'machine' } as const;
const change = { ...trust, command: true, outside: true } as const;
const changeSlowly = { ...change, progress: true } as const;
const inProject = z.strictObject({ project: projectFolder });

const onPlugins = <B extends z.ZodType>(action: string, summary: string, body: B) =>
	operation(changeSlowly, `/plugins/${action}`, summary, { body, reply: commandOutput });

export const plugins = {
	list: operation(read, '/plugins', 'Installed plugins; with available=true also those that the marketplaces offer', {
		query: inProject.extend({ available: yesOrNo.optional() }),
		reply: pluginList,
	}),
	install: onPlugins('install', 'Install a plugin; its code runs with the rights of the user', pluginBody),
	enable: onPlugins('enable', 'Enable a plugin', pluginBody),
	disable: onPlugins('disable', 'Disable a plugin; it stays installed', pluginBody),
	update: onPlugins('update', 'Update a plugin', pluginBody),
	uninstall: onPlugins('uninstall', 'Uninstall a plugin', pluginBody),
} as const;

export const marketplaces = {
	list: operation(read, '/plugins/marketplaces', 'List marketplaces', { query: inProject, reply: marketplaceList }),
	add: onPlugins('marketplaces/add', 'Add a marketplace', addMarketplaceBody),
	remove: onPlugins('marketplaces/remove', 'Remove a marketplace', removeMarketplaceBody),
	update: onPlugins('marketplaces/update', 'Update a marketplace; without a name, all of them', updateMarketplaceBody),
} as const;

const ofServer = z.strictObject({ name: serverName });

export const mcp = {
	list: operation(read, '/mcp', 'List MCP servers and their status', { query: inProject, reply: mcpServerList }),
	show: operation(read, '/mcp/:name', 'One MCP server; only the names of its variables and headers', {
		params: ofServer,
		query: inProject,
		reply: mcpServerDetail,
	}),
	add: operation(change, '/mcp', 'Add an MCP server; it runs with the rights of the user', {
		body: addServerBody,
		reply: commandOutput,
	}),
	remove: operation(change, '/mcp/:name/remove', 'Remove an MCP server', {
		params: ofServer,
		body: removeServerBody,
		reply: commandOutput,
	}),
	logIn: operation(changeSlowly, '/mcp/:name/auth', 'Log in to an MCP server; its progress shows the address to open', {
		params: ofServer,
		body: authServerBody,
		reply: commandOutput,
	}),
} as const;

export const projectServers = {
	list: operation(read, '/projects/mcp', 'The MCP servers that a project configures, and which are trusted', {
		query: projectMcpQuery,
		reply: projectMcp,
	}),
	trust: operation(trust, '/projects/mcp/trust', 'Trust a server exactly as it was shown; 409 if it has changed', {
		body: trustMcpBody,
		reply: mcpTrusted,
	}),
	untrust: operation(trust, '/projects/mcp/untrust', 'Revoke trust in a server', { body: untrustMcpBody, reply: mcpTrusted }),
} as const;
