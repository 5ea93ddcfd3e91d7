// `claude plugin` and `claude mcp` for whoever runs them.
import { stripVTControlCharacters } from 'node:util';
import type { AgentCli } from '../../agent-cli.ts';
import { readOutcome } from './command-outcome.ts';
import {
	addServerArgv,
	getServerArgv,
	HEALTH_ENVIRONMENT,
	listServersArgv,
	loginArgv,
	removeServerArgv,
	secretsOf,
} from './mcp-argv.ts';
import { parseServerDetail } from './mcp-get.ts';
import { parseServerList } from './mcp-list.ts';
import { listMarketplacesArgv, listPluginsArgv, marketplaceArgv, pluginArgv } from './plugin-argv.ts';
import { parseMarketplaceList, parsePluginList } from './plugin-output.ts';

export const claudeCli: AgentCli = {
	listPlugins: (options) => ({ args: listPluginsArgv(options), parse: parsePluginList }),
	changePlugin: (change) => ({ args: pluginArgv(change) }),
	listMarketplaces: () => ({ args: listMarketplacesArgv(), parse: parseMarketplaceList }),
	changeMarketplace: (change) => ({ args: marketplaceArgv(change) }),
	listServers: () => ({ args: listServersArgv(), env: HEALTH_ENVIRONMENT, parse: parseServerList }),
	showServer: (name) => ({
		args: getServerArgv(name),
		env: HEALTH_ENVIRONMENT,
		parse: (stdout) => parseServerDetail(name, stdout),
	}),
	addServer: (server) => ({ args: addServerArgv(server), secrets: secretsOf(server) }),
	removeServer: (server) => ({ args: removeServerArgv(server) }),
	logIn: (name) => ({ args: loginArgv(name) }),
	readOutcome,
	hide: hideValues,
	toLines: toTerminalLines,
};

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
