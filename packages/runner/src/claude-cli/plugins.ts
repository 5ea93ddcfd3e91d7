// Plugins and marketplaces for the API: what `claude plugin` can do.
import { listMarketplacesArgv, listPluginsArgv, marketplaceArgv, pluginArgv } from '@roost/agents/claude/cli/plugin-argv';
import { parseMarketplaceList, parsePluginList } from '@roost/agents/claude/cli/plugin-output';
import type { Backend } from '@roost/gateway/operations/backend';
import type { MarketplaceChange, PluginChange, PluginVerb } from '@roost/protocol/api/plugins';
import type { CallContext } from '@roost/protocol/contract/operation';
import type { ClaudeCommands } from './claude-commands.ts';

const LIST_MS = 10_000;
/** Switches are quick; the others may fetch a whole repository. */
const SWITCH_MS = 15_000;
const FETCH_MS = 180_000;

export function pluginHandlers(claude: ClaudeCommands): Backend['plugins'] {
	const change =
		(verb: PluginVerb) =>
		(input: Omit<PluginChange, 'verb'>, { report }: CallContext) => {
			const limitMs = verb === 'enable' || verb === 'disable' ? SWITCH_MS : FETCH_MS;
			return claude.change(input, { args: pluginArgv({ ...input, verb }), limitMs, onLine: report });
		};
	return {
		list: ({ project, available = false }) =>
			claude.read({ project }, { args: listPluginsArgv({ available }), limitMs: LIST_MS, parse: parsePluginList }),
		install: change('install'),
		enable: change('enable'),
		disable: change('disable'),
		update: change('update'),
		uninstall: change('uninstall'),
	};
}

export function marketplaceHandlers(claude: ClaudeCommands): Backend['marketplaces'] {
	const change = (change: MarketplaceChange, { report }: CallContext) => {
		const limitMs = change.verb === 'remove' ? SWITCH_MS : FETCH_MS;
		return claude.change(change, { args: marketplaceArgv(change), limitMs, onLine: report });
	};
	return {
		list: (place) => claude.read(place, { args: listMarketplacesArgv(), limitMs: LIST_MS, parse: parseMarketplaceList }),
		add: (input, context) => change({ verb: 'add', ...input }, context),
		remove: (input, context) => change({ verb: 'remove', ...input }, context),
		update: (input, context) => change({ verb: 'update', ...input }, context),
	};
}
