// `claude plugin …` as argument lists. Every operand stands behind `--`; a command that a marketplace declares is never accepted unread.
import type { MarketplaceChange, PluginChange } from '@roost/protocol/api/plugins';

export function listPluginsArgv({ available }: { available: boolean }): string[] {
	return ['plugin', 'list', '--json', ...(available ? ['--available'] : [])];
}

export function pluginArgv({ verb, plugin, scope, acceptCommand }: PluginChange): string[] {
	const accepted = acceptCommand !== undefined && ACCEPTING.has(verb) ? [`--accept-command=${acceptCommand}`] : [];
	return ['plugin', verb, '--json', ...toScope(scope), ...accepted, '--', plugin];
}

const ACCEPTING = new Set(['install', 'update']);

export function listMarketplacesArgv(): string[] {
	return ['plugin', 'marketplace', 'list', '--json'];
}

export function marketplaceArgv(change: MarketplaceChange): string[] {
	const command = ['plugin', 'marketplace', change.verb];
	if (change.verb === 'add') return [...command, '--json', ...toScope(change.scope), '--', change.source];
	// Without a name the CLI takes no `--json`.
	return change.name === undefined ? command : [...command, '--json', '--', change.name];
}

function toScope(scope: string | undefined): string[] {
	return scope === undefined ? [] : [`--scope=${scope}`];
}
