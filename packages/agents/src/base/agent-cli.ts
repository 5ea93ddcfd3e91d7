// An agent's own commands for its plugins and MCP servers: their arguments, and what their output means.
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
	/** Only in a terminal; it prints where to log in, and waits for the login. */
	logIn(name: string): CliChange;
	readOutcome(exit: CliExit): CommandOutcome;
	/** Without values that must not be repeated. */
	hide(text: string, secrets: readonly string[]): string;
	/** What it wrote to a terminal, as lines of plain text. */
	toLines(raw: string): string[];
};

export type CliQuestion<T> = {
	args: readonly string[];
	env?: Readonly<Record<string, string>>;
	parse(stdout: string): T;
};

export type CliChange = {
	args: readonly string[];
	/** Values that are never repeated. */
	secrets?: readonly string[];
};

export type CliExit = { code: number | null; stdout: string; stderr: string };

export type CommandOutcome =
	| { ok: true; output: string }
	| { ok: false; kind: 'not_found' | 'conflict' | 'unknown_option' | 'needs_consent' | 'failed'; words: string };
