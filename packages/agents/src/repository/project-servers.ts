// MCP servers in a repository's `.mcp.json`. The user must trust one before it is started.
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { findRepository, foldersBetween, isWithin, type Repository } from './find-repository.ts';
import { readJson, valueAt } from './json-file.ts';
import { type NamedServer, parseMcpServers } from './mcp-config.ts';
import { shownName } from './shown-name.ts';

export type ProjectServers = { project: string; servers: NamedServer[]; broken: string[] };

/** The folder must exist. */
export async function readProjectServers(cwd: string): Promise<ProjectServers> {
	const repository = await findRepository(cwd);
	return { project: repository.project, ...(await readServersOf(repository, await realpath(cwd))) };
}

/** From the top of the repository down to the folder, a real path; the nearest wins. */
export async function readServersOf(repository: Repository, cwd: string): Promise<Omit<ProjectServers, 'project'>> {
	const { root } = repository;
	const servers = new Map<string, NamedServer>();
	const broken: string[] = [];
	for (const folder of foldersBetween(root, cwd)) {
		const path = join(folder, '.mcp.json');
		const where = shownName(relative(root, path), 160);
		const leavesRepository = ({ realPath }: { realPath: string }) =>
			isWithin(realPath, root) ? undefined : 'it is a link that leads out of the repository';
		const read = await readJson(path, { refuse: leavesRepository });
		if (read.kind === 'absent') continue;
		if (read.kind === 'refused') broken.push(`${where} is left out because ${read.why}.`);
		else {
			const found = parseMcpServers(valueAt(read.value, 'mcpServers'), where);
			for (const server of found.servers) servers.set(server.name, server);
			broken.push(...found.broken);
		}
	}
	return { servers: [...servers.values()], broken };
}
