// MCP servers in a file or a repository's `.mcp.json`: parsed one by one and identified by a hash. The user must trust them.
import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { canonicalJson } from '@roost/core/rules/canonical-json';
import { z } from 'zod';
import { findRepository, foldersBetween, isWithin, type Repository } from './find-repository.ts';
import { entriesOf, readJson, shownName, valueAt } from './json-file.ts';

const texts = z.record(z.string(), z.string());
const shared = { timeout: z.number().positive().exactOptional(), alwaysLoad: z.boolean().exactOptional() };
const program = z.object({
	type: z.literal('stdio').exactOptional(),
	command: z.string().min(1),
	args: z.array(z.string()).exactOptional(),
	env: texts.exactOptional(),
	...shared,
});
const address = { url: z.string().min(1), headers: texts.exactOptional(), ...shared };
const serverConfig = z.union([
	program,
	z.object({ type: z.literal('http'), ...address }),
	z.object({ type: z.literal('sse'), ...address }),
]);
type McpServer = z.infer<typeof serverConfig>;

/** The hash ignores key order and unknown keys. */
export type NamedServer = { name: string; config: McpServer; hash: string };

export type ServersRead = { servers: NamedServer[]; broken: string[] };

const MOST_SERVERS = 100;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** `where` names the file in messages. */
export function parseMcpServers(value: unknown, where: string): ServersRead {
	if (value === undefined) return { servers: [], broken: [] };
	const entries = entriesOf(value);
	if (!entries) return { servers: [], broken: [`The MCP servers in ${where} are left out because they are not a map of names.`] };
	const read = entries.slice(0, MOST_SERVERS).map(([name, entry]) => parseServer(name, entry, where));
	const more = `${where} names too many MCP servers: only the first ${MOST_SERVERS} are read.`;
	return {
		servers: read.filter((each) => typeof each !== 'string'),
		broken: [...read.filter((each) => typeof each === 'string'), ...(entries.length > MOST_SERVERS ? [more] : [])],
	};
}

/** Expands `${NAME}` and `${NAME:-default}`; `unset` are missing variables. */
export function expandServer(config: McpServer, env: Readonly<Record<string, string>>): { config: McpServer; unset: string[] } {
	const unset = new Set<string>();
	const expand = (text: string) =>
		text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (whole, name: string, otherwise: string | undefined) => {
			const value = Object.hasOwn(env, name) ? env[name] : otherwise;
			if (value === undefined) unset.add(name);
			return value ?? whole;
		});
	const expandAll = (map: Record<string, string>) =>
		Object.fromEntries(Object.entries(map).map(([key, value]) => [key, expand(value)]));
	const expanded: McpServer =
		'command' in config
			? {
					...config,
					command: expand(config.command),
					...(config.args && { args: config.args.map(expand) }),
					...(config.env && { env: expandAll(config.env) }),
				}
			: { ...config, url: expand(config.url), ...(config.headers && { headers: expandAll(config.headers) }) };
	return { config: expanded, unset: [...unset] };
}

function parseServer(name: string, entry: unknown, where: string): NamedServer | string {
	const which = `The MCP server "${shownName(name)}" in ${where} is left out because`;
	// Names such as `constructor` are unsafe in plain objects.
	if (name in {} || !NAME.test(name)) return `${which} a name has letters, digits, dashes and underscores only.`;
	const parsed = serverConfig.safeParse(entry);
	if (!parsed.success) return `${which} it is no command with arguments and no http or sse address.`;
	return { name, config: parsed.data, hash: createHash('sha256').update(canonicalJson(parsed.data)).digest('hex') };
}

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
