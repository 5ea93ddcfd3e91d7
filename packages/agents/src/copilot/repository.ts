// What a repository brings that Copilot would run outside of calls, and where it disables hooks.
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { readText } from '@roost/machine/foreign-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject } from '../base/json-object.ts';
import { findRepository, foldersBetween, isWithin } from '../repository/find-repository.ts';
import { entriesOf, readJson, SETTINGS_BYTES, shownName, shownNames, valueAt } from '../repository/json-file.ts';

/** Null where Copilot can be started. */
export async function refuseRepositoryHooks(cwd: string, place: { trusted: boolean }): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return `There is no folder ${shownName(cwd, 200)} to work in.`;
	const found = await findRepositoryPrograms(cwd, place);
	if (found.length === 0) return await refuseSwitch(cwd);
	return `This repository brings programs that Copilot would run without asking (${shownNames(found)}): remove them, or run copilot without Roost's gate.`;
}

/** Copilot applies it in a trusted folder, and would run without its gate. */
async function refuseSwitch(cwd: string): Promise<string | null> {
	const found = await findHookSwitch(cwd);
	return found === null ? null : `In this repository ${found}, and so its gate: remove that, or start copilot yourself.`;
}

type RepositoryFolders = { root: string; folders: readonly string[] };

/** Null for a missing folder. */
async function repositoryFolders(cwd: string): Promise<RepositoryFolders | null> {
	const real = await realpath(cwd).catch(() => null);
	if (real === null) return null;
	const { root } = await findRepository(real);
	return { root, folders: foldersBetween(root, real) };
}

const SETTINGS = [
	'.github/copilot/settings.json',
	'.github/copilot/settings.local.json',
	'.claude/settings.json',
	'.claude/settings.local.json',
] as const;

/** A clause that names the file; null where there is none. */
export async function findHookSwitch(cwd: string): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return null;
	for (const folder of repository.folders) {
		for (const name of SETTINGS) {
			const path = join(folder, name);
			const how = await switchesOff(path);
			if (how !== null) return `${shownName(relative(repository.root, path), 200)} ${how} every hook of copilot off`;
		}
	}
	return null;
}

/** An unreadable file that may contain the switch counts. */
async function switchesOff(path: string): Promise<'switches' | 'may switch' | null> {
	const read = await readText(path, { mostBytes: SETTINGS_BYTES });
	if (read.kind === 'absent') return null;
	if (read.kind === 'refused' || read.cut) return 'may switch';
	if (!read.text.includes(SWITCH)) return null;
	const settings = parseJson(read.text);
	return isJsonObject(settings) && settings[SWITCH] === false ? null : 'switches';
}

const SWITCH = 'disableAllHooks';

/** `trusted`: Copilot trusts the folder, or the user may still allow it. Some programs run in untrusted folders too. */
async function findRepositoryPrograms(cwd: string, { trusted }: { trusted: boolean }): Promise<string[]> {
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

/** Every entry counts, including links and folders. */
async function programFolders(folder: string): Promise<string[]> {
	const all = ['hooks', 'extensions'].map((name) => entriesIn(join(folder, '.github', name)));
	return (await Promise.all(all)).flat();
}

const AGENT_FOLDERS = [join('.github', 'agents'), join('.claude', 'agents')];
const SERVERS = /mcp[-_]?servers/i;

/** An agent starts its servers without asking. */
export async function agentsWithServers(folder: string): Promise<string[]> {
	const found: string[] = [];
	for (const path of (await Promise.all(AGENT_FOLDERS.map((name) => entriesIn(join(folder, name))))).flat()) {
		const read = await readText(path, { mostBytes: SETTINGS_BYTES });
		if (read.kind === 'refused' || (read.kind === 'text' && (read.cut || SERVERS.test(read.text)))) found.push(path);
	}
	return found;
}

const STARTS_PROGRAMS = ['hooks', 'enabledPlugins', 'extraKnownMarketplaces', 'statusLine'];

async function programSettings(folder: string): Promise<string[]> {
	const servers = join(folder, '.github', 'lsp.json');
	const found = (await readText(servers, { mostBytes: 0 })).kind === 'absent' ? [] : [servers];
	for (const path of SETTINGS.map((name) => join(folder, name))) {
		const read = await readJson(path);
		const keys = read.kind === 'json' ? entriesOf(read.value)?.map(([key]) => key) : [];
		// Copilot may still read a file that this cannot.
		if (read.kind === 'refused' || keys?.some((key) => STARTS_PROGRAMS.includes(key))) found.push(path);
	}
	return found;
}

async function entriesIn(folder: string): Promise<string[]> {
	try {
		return (await readdir(folder)).map((name) => join(folder, name));
	} catch (cause) {
		const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
		// An unreadable folder counts.
		return code === 'ENOENT' || code === 'ENOTDIR' ? [] : [folder];
	}
}

const FILES = ['.mcp.json', join('.github', 'mcp.json'), join('.vscode', 'mcp.json'), join('.copilot', 'mcp-config.json')];
const KEYS = ['mcpServers', 'servers'];
/** Their names, for disabling; an error where they cannot be determined. */
export async function repositoryServers(cwd: string): Promise<Result<string[]>> {
	const { folders } = (await repositoryFolders(cwd)) ?? { folders: [] };
	const names = new Set<string>();
	for (const folder of folders) {
		for (const file of FILES) {
			const read = await readJson(join(folder, file));
			// Copilot may still read it and start servers.
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

type Env = Readonly<Record<string, string | undefined>>;

const MOST_BYTES = 4 * 1024 * 1024;

export function copilotHome(env: Env): string {
	return env.COPILOT_HOME || join(env.HOME || homedir(), '.copilot');
}

export async function isTrustedFolder(env: Env, cwd: string): Promise<boolean> {
	const read = await readText(join(copilotHome(env), 'config.json'), { mostBytes: MOST_BYTES });
	if (read.kind === 'absent') return false;
	const config = read.kind === 'text' && !read.cut ? parseConfig(read.text) : undefined;
	if (config === undefined) return true;
	const folders = ['trustedFolders', 'trusted_folders'].flatMap((key) => valueAt(config, key) ?? []);
	const places = [cwd, await realpath(cwd).catch(() => cwd)];
	for (const folder of folders) {
		if (typeof folder !== 'string' || !isAbsolute(folder)) return true;
		const real = await realpath(folder).catch(() => folder);
		if (places.some((place) => isWithin(place, folder) || isWithin(place, real))) return true;
	}
	return false;
}

/** The file may contain comment lines. */
function parseConfig(text: string): unknown {
	return parseJson(text.replaceAll(/^\s*\/\/.*$/gm, ''));
}
