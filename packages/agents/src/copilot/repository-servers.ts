// The MCP servers that a repository brings for Copilot: in a folder that is trusted, its terminal starts them without asking.
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { entriesOf, readJson, valueAt } from '../repository/json-file.ts';
import { repositoryFolders } from './repository-folders.ts';

const FILES = ['.mcp.json', join('.github', 'mcp.json'), join('.vscode', 'mcp.json'), join('.copilot', 'mcp-config.json')];
const KEYS = ['mcpServers', 'servers'];
const MOST_BYTES = 1024 * 1024;

/** Their names, each of which can be said no to; an error where they cannot be told. */
export async function repositoryServers(cwd: string): Promise<Result<string[]>> {
	const { folders } = (await repositoryFolders(cwd)) ?? { folders: [] };
	const names = new Set<string>();
	for (const folder of folders) {
		for (const file of FILES) {
			const read = await readJson(join(folder, file), { mostBytes: MOST_BYTES });
			// Copilot may read what this does not, and start what is in it.
			if (read.kind === 'refused')
				return err(
					new AppError(
						'denied',
						`Copilot might start servers from ${file} of this repository, and ${read.why}: fix or remove it.`,
					),
				);
			if (read.kind !== 'json') continue;
			for (const key of KEYS) for (const [name] of entriesOf(valueAt(read.value, key)) ?? []) names.add(name);
		}
	}
	return ok([...names]);
}
