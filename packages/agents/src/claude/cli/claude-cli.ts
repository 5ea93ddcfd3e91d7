// Arguments and results of `claude plugin` and `claude mcp`. Operands follow `--`. Arguments may contain secrets and are never shown.
import { stripVTControlCharacters } from 'node:util';
import { parseJson } from '@roost/core/display/parse-json';
import type { AddServer } from '@roost/protocol/api/mcp';
import type { MarketplaceChange } from '@roost/protocol/api/plugins';
import { z } from 'zod';
import type { AgentCli, CliExit, CommandOutcome } from '../../base/agent-cli.ts';
import { parseMarketplaceList, parsePluginList, parseServerDetail, parseServerList } from './cli-output.ts';

/** Claude would wait 30 s for each unresponsive server. */
const HEALTH = { MCP_TIMEOUT: '8000' } as const;
/** A command declared by a marketplace must be confirmed by its hash, and only for verbs that run one. */
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
	// Without a name the CLI does not support `--json`.
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

/** Removes secret values and the headers that Claude echoes. */
export function hideValues(text: string, values: readonly string[]): string {
	const longestFirst = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
	const hidden = longestFirst.reduce((words, value) => words.replaceAll(value, '[hidden]'), text);
	return hidden.replace(ECHOED_HEADERS, '');
}

/** Shorter values would match too much. */
const SHORTEST = 3;
/** Claude hides only headers whose names look secret. */
const ECHOED_HEADERS = /^Headers: \{\n[\s\S]*?^\}\n?/m;

export function toTerminalLines(raw: string): string[] {
	return raw
		.split('\n')
		.map((line) => stripVTControlCharacters(line).trim())
		.filter((line) => line !== '' && !PROMPT.test(line));
}

/** Pasting is not possible here: the browser returns the result. */
const PROMPT = /^Or paste the redirect URL here:|^Waiting for authorization/;

export function readOutcome(exit: CliExit): CommandOutcome {
	const message = readResultLine(exit.stdout);
	const failed = exit.code !== 0 || message?.outcome === 'failed';
	if (!failed) return { ok: true, output: message?.message ?? exit.stdout.trim() };
	const words = message?.message ?? wordsOf(exit);
	if (message?.shownCommand) return { ok: false, kind: 'needs_consent', words: toConsent(words, message.shownCommand) };
	return { ok: false, kind: KINDS[message?.failureCode ?? ''] ?? kindOfText(words), words };
}

/** With `--json` the last line is the result; older versions and `claude mcp` print text. */
const resultLine = z.object({
	outcome: z.string(),
	message: z.string(),
	failureCode: z.string().optional(),
	shownCommand: z.looseObject({ sha256: z.string() }).optional(),
});

function readResultLine(stdout: string): z.infer<typeof resultLine> | undefined {
	const parsed = resultLine.safeParse(parseJson(stdout.trim().split('\n').at(-1) ?? ''));
	return parsed.success ? parsed.data : undefined;
}

function wordsOf({ stdout, stderr }: CliExit): string {
	const words = stderr.trim() || stdout.trim();
	return words.replace(/^✘ /, '') || 'nothing at all';
}

function toConsent(words: string, { sha256, ...shown }: { sha256: string }): string {
	return `${words} It would run ${JSON.stringify(shown)}, whose sha256 is ${sha256}.`;
}

const KINDS: Record<string, 'not_found' | 'conflict' | undefined> = {
	not_found: 'not_found',
	not_installed: 'not_found',
	not_configured: 'not_found',
	already_in_goal_state: 'conflict',
};

function kindOfText(words: string): 'not_found' | 'conflict' | 'unknown_option' | 'failed' {
	if (/^No MCP server named /.test(words)) return 'not_found';
	if (/^MCP server \S+ already exists /.test(words)) return 'conflict';
	return /^error: unknown option /.test(words) ? 'unknown_option' : 'failed';
}
