// What a repository brings that Copilot runs outside of calls: hooks, extensions, plugins, and servers of its agents. No argument switches them off.
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readText } from '@roost/machine/foreign-file';
import { entriesOf, readJson } from '../repository/json-file.ts';
import { repositoryFolders } from './repository-folders.ts';

/** `trusted`: Copilot trusts the folder, or its user may still say so. Some of it runs in folders that nobody trusts. */
export async function findRepositoryPrograms(cwd: string, { trusted }: { trusted: boolean }): Promise<string[]> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return [];
	const found: string[] = [];
	for (const folder of repository.folders) {
		const names = [...(await programFolders(folder)), ...(await agentsWithServers(folder))];
		const settings = trusted ? await programSettings(folder) : [];
		found.push(...[...names, ...settings].map((path) => relative(repository.root, path)));
	}
	return found;
}

/** Whatever is in there counts, links and folders too: which of them Copilot reads is its own affair. */
async function programFolders(folder: string): Promise<string[]> {
	const all = ['hooks', 'extensions'].map((name) => entriesIn(join(folder, '.github', name)));
	return (await Promise.all(all)).flat();
}

const AGENT_FOLDERS = [join('.github', 'agents'), join('.claude', 'agents')];
const SERVERS = /mcp[-_]?servers/i;
const MOST_BYTES = 1024 * 1024;

/** Its servers start with an agent, and an agent starts without a question. */
export async function agentsWithServers(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const path of (await Promise.all(AGENT_FOLDERS.map((name) => entriesIn(join(folder, name))))).flat()) {
		const read = await readText(path, { mostBytes: MOST_BYTES });
		if (read.kind === 'refused' || (read.kind === 'text' && (read.cut || SERVERS.test(read.text)))) found.push(path);
	}
	return found;
}

const SETTINGS = [
	join('.github', 'copilot', 'settings.json'),
	join('.github', 'copilot', 'settings.local.json'),
	join('.claude', 'settings.json'),
	join('.claude', 'settings.local.json'),
];
const STARTS_PROGRAMS = ['hooks', 'enabledPlugins', 'extraKnownMarketplaces', 'statusLine'];

async function programSettings(folder: string): Promise<string[]> {
	const servers = join(folder, '.github', 'lsp.json');
	const found = (await readText(servers, { mostBytes: 0 })).kind === 'absent' ? [] : [servers];
	for (const path of SETTINGS.map((name) => join(folder, name))) {
		const read = await readJson(path, { mostBytes: MOST_BYTES });
		const keys = read.kind === 'json' ? entriesOf(read.value)?.map(([key]) => key) : [];
		// What cannot be read as settings may still be read by Copilot.
		if (read.kind === 'refused' || keys?.some((key) => STARTS_PROGRAMS.includes(key))) found.push(path);
	}
	return found;
}

async function entriesIn(folder: string): Promise<string[]> {
	try {
		return (await readdir(folder)).map((name) => join(folder, name));
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
		// What cannot be looked at may be anything.
		return code === 'ENOENT' || code === 'ENOTDIR' ? [] : [folder];
	}
}
