// The API over Claude's own command line: its plugins, its MCP servers, and how far a long command is.
import { type CommandOutput, type CommandProgress, commandOutput, commandProgress } from '@roost/protocol/api/claude-commands';
import {
	type AddServer,
	type McpServerDetail,
	type McpServerList,
	mcpServerDetail,
	mcpServerList,
	type RemoveServer,
} from '@roost/protocol/api/mcp';
import {
	type MarketplaceChange,
	type MarketplaceList,
	marketplaceList,
	type PluginChange,
	type PluginList,
	pluginList,
} from '@roost/protocol/api/plugins';
import type { Result } from '@roost/protocol/result';
import { API, type ApiCall } from './api-call.ts';

/** Each command has an id that its caller made: said again with the same one, it does nothing twice. */
export type PluginsApi = {
	list(query: { project: string; available?: boolean }): Promise<Result<PluginList>>;
	marketplaces(query: { project: string }): Promise<Result<MarketplaceList>>;
	change(commandId: string, change: PluginChange): Promise<Result<CommandOutput>>;
	changeMarketplace(commandId: string, change: MarketplaceChange): Promise<Result<CommandOutput>>;
};

export type McpApi = {
	/** Asks every server how it is. */
	list(query: { project: string }): Promise<Result<McpServerList>>;
	get(query: { project: string; name: string }): Promise<Result<McpServerDetail>>;
	add(commandId: string, server: AddServer): Promise<Result<CommandOutput>>;
	remove(commandId: string, server: RemoveServer): Promise<Result<CommandOutput>>;
	/** Answers when somebody has logged in; its progress says where. */
	logIn(commandId: string, server: { project: string; name: string }): Promise<Result<CommandOutput>>;
};

export type CommandsApi = { progress(commandId: string): Promise<Result<CommandProgress>> };

const PLUGINS = [...API, 'plugins'] as const;
const MCP = [...API, 'mcp'] as const;

export function pluginsApi(call: ApiCall): PluginsApi {
	return {
		list: ({ project, available }) =>
			call({ method: 'GET', path: PLUGINS, query: { project, available: available ? 'true' : undefined } }, pluginList),
		marketplaces: (query) => call({ method: 'GET', path: [...PLUGINS, 'marketplaces'], query }, marketplaceList),
		change: (commandId, { verb, ...body }) =>
			call({ method: 'POST', path: [...PLUGINS, verb], body: { ...body, commandId } }, commandOutput),
		changeMarketplace: (commandId, { verb, ...body }) =>
			call({ method: 'POST', path: [...PLUGINS, 'marketplaces', verb], body: { ...body, commandId } }, commandOutput),
	};
}

export function mcpApi(call: ApiCall): McpApi {
	return {
		list: (query) => call({ method: 'GET', path: MCP, query }, mcpServerList),
		get: ({ project, name }) => call({ method: 'GET', path: [...MCP, name], query: { project } }, mcpServerDetail),
		add: (commandId, server) => call({ method: 'POST', path: MCP, body: { ...server, commandId } }, commandOutput),
		remove: (commandId, { name, ...body }) =>
			call({ method: 'POST', path: [...MCP, name, 'remove'], body: { ...body, commandId } }, commandOutput),
		logIn: (commandId, { name, project }) =>
			call({ method: 'POST', path: [...MCP, name, 'auth'], body: { project, commandId } }, commandOutput),
	};
}

export function commandsApi(call: ApiCall): CommandsApi {
	return {
		progress: (commandId) => call({ method: 'GET', path: [...API, 'commands', commandId] }, commandProgress),
	};
}
