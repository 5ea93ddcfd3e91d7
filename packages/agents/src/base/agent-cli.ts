// An agent's own commands for plugins and MCP servers: arguments and parsing of the output.
import type { AddServer, McpServerDetail, McpServerList, RemoveServer } from '@roost/protocol/api/mcp';
import type { MarketplaceChange, MarketplaceList, PluginChange, PluginList } from '@roost/protocol/api/plugins';

export type AgentCli = {
	listPlugins(options: { available: boolean }): CliQuestion<PluginList>;
	changePlugin(change: PluginChange): CliChange;
	listMarketplaces(): CliQuestion<MarketplaceList>;
	changeMarketplace(change: MarketplaceChange): CliChange;
	listServers(): CliQuestion<McpServerList>;
	showServer(name: string): CliQuestion<McpServerDetail>;
	addServer(server: AddServer): CliChange;
	removeServer(server: Pick<RemoveServer, 'name' | 'scope'>): CliChange;
	/** Needs a terminal: it prints the login URL and waits for the login. */
	logIn(name: string): CliChange;
	readOutcome(exit: CliExit): CommandOutcome;
	/** Replaces secret values. */
	hide(text: string, secrets: readonly string[]): string;
	/** Terminal output as lines of plain text. */
	toLines(raw: string): string[];
};

export type CliQuestion<T> = {
	args: readonly string[];
	env?: Readonly<Record<string, string>>;
	parse(stdout: string): T;
};

export type CliChange = {
	args: readonly string[];
	secrets?: readonly string[];
};

export type CliExit = { code: number | null; stdout: string; stderr: string };

export type CommandOutcome =
	| { ok: true; output: string }
	| { ok: false; kind: 'not_found' | 'conflict' | 'unknown_option' | 'needs_consent' | 'failed'; words: string };
