// Plugins and marketplaces for the API, over the commands of the agent that has them.
import type { AgentCli } from '@roost/agents/base/agent-cli';
import type { Backend } from '@roost/gateway/operations/backend';
import type { MarketplaceChange, PluginChange, PluginVerb } from '@roost/protocol/api/plugins';
import type { CallContext } from '@roost/protocol/contract/operation';
import type { CliCommands } from './cli-commands.ts';

const LIST_MS = 10_000;
/** Switches are quick; the others may fetch a whole repository. */
const SWITCH_MS = 15_000;
const FETCH_MS = 180_000;

export function pluginHandlers(cli: AgentCli, commands: CliCommands): Backend['plugins'] {
	const change =
		(verb: PluginVerb) =>
		(input: Omit<PluginChange, 'verb'>, { report }: CallContext) => {
			const limitMs = verb === 'enable' || verb === 'disable' ? SWITCH_MS : FETCH_MS;
			return commands.change(input, { ...cli.changePlugin({ ...input, verb }), limitMs, onLine: report });
		};
	return {
		list: ({ project, available = false }) => commands.read({ project }, { ...cli.listPlugins({ available }), limitMs: LIST_MS }),
		install: change('install'),
		enable: change('enable'),
		disable: change('disable'),
		update: change('update'),
		uninstall: change('uninstall'),
	};
}

export function marketplaceHandlers(cli: AgentCli, commands: CliCommands): Backend['marketplaces'] {
	const change = (change: MarketplaceChange, { report }: CallContext) => {
		const limitMs = change.verb === 'remove' ? SWITCH_MS : FETCH_MS;
		return commands.change(change, { ...cli.changeMarketplace(change), limitMs, onLine: report });
	};
	return {
		list: (place) => commands.read(place, { ...cli.listMarketplaces(), limitMs: LIST_MS }),
		add: (input, context) => change({ verb: 'add', ...input }, context),
		remove: (input, context) => change({ verb: 'remove', ...input }, context),
		update: (input, context) => change({ verb: 'update', ...input }, context),
	};
}
