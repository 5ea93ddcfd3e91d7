// `claude mcp …` as argument lists. Options stand before `--`, so that a server's own arguments stay its own.
// Claude takes the values of variables and headers as arguments only: these lists hold secrets and are never shown.
import type { AddServer, RemoveServer } from '@roost/protocol/api/mcp';

export function listServersArgv(): string[] {
	return ['mcp', 'list'];
}

/** Claude would wait half a minute for each server that does not answer. */
export const HEALTH_ENVIRONMENT = { MCP_TIMEOUT: '8000' } as const;

export function getServerArgv(name: string): string[] {
	return ['mcp', 'get', '--', name];
}

export function removeServerArgv({ name, scope }: Pick<RemoveServer, 'name' | 'scope'>): string[] {
	return ['mcp', 'remove', ...toScope(scope), '--', name];
}

/** Only in a terminal: without one it refuses. It prints where to log in, and waits until somebody has. */
export function loginArgv(name: string): string[] {
	return ['mcp', 'login', '--no-browser', '--', name];
}

export function addServerArgv(server: AddServer): string[] {
	const scope = toScope(server.scope);
	switch (server.transport) {
		case 'json':
			return ['mcp', 'add-json', ...scope, '--', server.name, JSON.stringify(server.config)];
		case 'stdio': {
			const env = Object.entries(server.env ?? {}).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
			return ['mcp', 'add', '--transport=stdio', ...scope, ...env, '--', server.name, server.command, ...(server.args ?? [])];
		}
		default: {
			const headers = Object.entries(server.headers ?? {}).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
			return ['mcp', 'add', `--transport=${server.transport}`, ...scope, ...headers, '--', server.name, server.url];
		}
	}
}

/** What must not come out again, wherever the CLI repeats it. */
export function secretsOf(server: AddServer): string[] {
	if (server.transport === 'stdio') return Object.values(server.env ?? {});
	return server.transport === 'json' ? textsIn(server.config) : Object.values(server.headers ?? {});
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function toScope(scope: string | undefined): string[] {
	return scope === undefined ? [] : [`--scope=${scope}`];
}
