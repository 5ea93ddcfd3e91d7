// The user's own MCP servers, from where `claude mcp add` puts them: for all projects, or for this one.
import { join } from 'node:path';
import { z } from 'zod';
import type { Repository } from '../../repository/find-repository.ts';
import { readJson, valueAt } from '../../repository/json-file.ts';
import { parseMcpServers, type ServersRead } from '../../repository/mcp-config.ts';

/** Where Claude keeps the user's choices; it puts its main file beside its folder unless that was moved. */
export type ClaudePlaces = { configDir: string; configFile: string };

export function claudePlaces(env: Readonly<Record<string, string | undefined>>, homeDir: string): ClaudePlaces {
	const chosen = env.CLAUDE_CONFIG_DIR;
	return chosen
		? { configDir: chosen, configFile: join(chosen, '.claude.json') }
		: { configDir: join(homeDir, '.claude'), configFile: join(homeDir, '.claude.json') };
}

export type UserServers = {
	everywhere: ServersRead;
	here: ServersRead;
	/** Names that the user switched off for this project. */
	disabled: readonly string[];
	problem?: string;
};

/** Claude keeps its notes on every project in this file. */
const MOST_BYTES = 32 * 1024 * 1024;
const NONE: ServersRead = { servers: [], broken: [] };
const WHERE = "the user's configuration of Claude";

export async function readUserServers(configFile: string, { root, project }: Repository): Promise<UserServers> {
	const read = await readJson(configFile, { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return { everywhere: NONE, here: NONE, disabled: [] };
	if (read.kind === 'refused') {
		const problem = `The user's own MCP servers are left out: ${configFile} cannot be used because ${read.why}.`;
		return { everywhere: NONE, here: NONE, disabled: [], problem };
	}
	const notes = [project, root].map((folder) => valueAt(read.value, 'projects', folder));
	const own = notes.find((note) => note !== undefined);
	return {
		everywhere: parseMcpServers(valueAt(read.value, 'mcpServers'), WHERE),
		here: parseMcpServers(valueAt(own, 'mcpServers'), WHERE),
		disabled: z.array(z.string()).catch([]).parse(valueAt(own, 'disabledMcpServers')),
	};
}
