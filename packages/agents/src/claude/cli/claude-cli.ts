// `claude plugin` and `claude mcp` for whoever runs them.
import type { AgentCli } from '../../agent-cli.ts';
import { readOutcome } from './command-outcome.ts';
import { hideValues } from './hide-values.ts';
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
import { toTerminalLines } from './terminal-lines.ts';

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
