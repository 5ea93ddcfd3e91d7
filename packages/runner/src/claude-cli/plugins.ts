// The desk for plugins: what `claude plugin` can do, for the API.
import { listMarketplacesArgv, listPluginsArgv, marketplaceArgv, pluginArgv } from '@roost/agents/claude/cli/plugin-argv';
import { parseMarketplaceList, parsePluginList } from '@roost/agents/claude/cli/plugin-output';
import type { PluginDesk } from '@roost/gateway/backend';
import type { ClaudeCommands } from './claude-commands.ts';

const LIST_MS = 10_000;
/** Switches are quick; the others may fetch a whole repository. */
const SWITCH_MS = 15_000;
const FETCH_MS = 180_000;

export function createPluginDesk(claude: ClaudeCommands): PluginDesk {
	return {
		list: ({ project, available }) =>
			claude.read({ project }, { args: listPluginsArgv({ available }), limitMs: LIST_MS, parse: parsePluginList }),
		marketplaces: (place) => claude.read(place, { args: listMarketplacesArgv(), limitMs: LIST_MS, parse: parseMarketplaceList }),
		change(change, onLine) {
			const limitMs = change.verb === 'enable' || change.verb === 'disable' ? SWITCH_MS : FETCH_MS;
			return claude.change(change, { args: pluginArgv(change), limitMs, onLine });
		},
		changeMarketplace(change, onLine) {
			const limitMs = change.verb === 'remove' ? SWITCH_MS : FETCH_MS;
			return claude.change(change, { args: marketplaceArgv(change), limitMs, onLine });
		},
	};
}
