// The arguments of `claude plugin` and `claude mcp`. Options stand before `--`, so that operands and a server's own arguments stay
// what they are. Claude takes the values of variables and headers as arguments only: these lists hold secrets and are never shown.
import { stripVTControlCharacters } from 'node:util';
import type { AddServer } from '@roost/protocol/api/mcp';
import type { MarketplaceChange } from '@roost/protocol/api/plugins';
import type { AgentCli } from '../../base/agent-cli.ts';
import { readOutcome } from './command-outcome.ts';
import { parseServerDetail } from './mcp-get.ts';
import { parseServerList } from './mcp-list.ts';
import { parseMarketplaceList, parsePluginList } from './plugin-output.ts';

/** Claude would wait half a minute for each server that does not answer. */
const HEALTH = { MCP_TIMEOUT: '8000' } as const;
/** A command that a marketplace declares is never accepted unread, and only where one is run. */
const ACCEPTING = new Set(['install', 'update']);

export const claudeCli: AgentCli = {
	listPlugins: ({ available }) => ({
		args: ['plugin', 'list', '--json', ...(available ? ['--available'] : [])],
		parse: parsePluginList,
	}),
	changePlugin({ verb, plugin, scope, acceptCommand }) {
		const accepted = acceptCommand !== undefined && ACCEPTING.has(verb) ? [`--accept-command=${acceptCommand}`] : [];
		return { args: ['plugin', verb, '--json', ...toScope(scope), ...accepted, '--', plugin] };
	},
	listMarketplaces: () => ({ args: ['plugin', 'marketplace', 'list', '--json'], parse: parseMarketplaceList }),
	changeMarketplace: (change) => ({ args: ['plugin', 'marketplace', change.verb, ...marketplaceArgs(change)] }),
	listServers: () => ({ args: ['mcp', 'list'], env: HEALTH, parse: parseServerList }),
	showServer: (name) => ({
		args: ['mcp', 'get', '--', name],
		env: HEALTH,
		parse: (stdout) => parseServerDetail(name, stdout),
	}),
	addServer: (server) => ({ args: addServerArgs(server), secrets: secretsOf(server) }),
	removeServer: ({ name, scope }) => ({ args: ['mcp', 'remove', ...toScope(scope), '--', name] }),
	logIn: (name) => ({ args: ['mcp', 'login', '--no-browser', '--', name] }),
	readOutcome,
	hide: hideValues,
	toLines: toTerminalLines,
};

function marketplaceArgs(change: MarketplaceChange): string[] {
	if (change.verb === 'add') return ['--json', ...toScope(change.scope), '--', change.source];
	// Without a name the CLI takes no `--json`.
	return change.name === undefined ? [] : ['--json', '--', change.name];
}

function addServerArgs(server: AddServer): string[] {
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
function secretsOf(server: AddServer): string[] {
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

/** Without what must not be repeated: values that were given to Claude, and the headers it echoes. */
export function hideValues(text: string, values: readonly string[]): string {
	const longestFirst = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
	const hidden = longestFirst.reduce((words, value) => words.replaceAll(value, '[hidden]'), text);
	return hidden.replace(ECHOED_HEADERS, '');
}

/** A value of one or two letters is found in every word. */
const SHORTEST = 3;
/** Claude hides only the values of headers whose names look secret to it. */
const ECHOED_HEADERS = /^Headers: \{\n[\s\S]*?^\}\n?/m;

/** What a program that thinks it has a terminal has said so far. */
export function toTerminalLines(raw: string): string[] {
	return raw
		.split('\n')
		.map((line) => stripVTControlCharacters(line).trim())
		.filter((line) => line !== '' && !PROMPT.test(line));
}

/** Nobody can paste anything here: the browser itself comes back with the answer. */
const PROMPT = /^Or paste the redirect URL here:|^Waiting for authorization/;
