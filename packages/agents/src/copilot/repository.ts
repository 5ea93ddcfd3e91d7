// Why Copilot is not started in a repository where Roost could not hold it: programs that it runs outside of calls, or a switch for hooks.
import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseJson } from '@roost/core/display/parse-json';
import { readText } from '@roost/machine/foreign-file';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { isJsonObject } from '../base/json-object.ts';
import { findRepository, foldersBetween } from '../repository/find-repository.ts';
import { entriesOf, readJson, SETTINGS_BYTES, valueAt } from '../repository/json-file.ts';
import { shownName, shownNames } from '../repository/shown-name.ts';

/** A sentence that says why Copilot is not started there; null where nothing is in the way. */
export async function refuseRepositoryHooks(cwd: string, place: { trusted: boolean }): Promise<string | null> {
	const repository = await repositoryFolders(cwd);
	if (!repository) return `There is no folder ${shownName(cwd, 200)} that could be worked in.`;
	const found = await findRepositoryPrograms(cwd, place);
	if (found.length === 0) return await refuseSwitch(cwd);
	return `This repository brings programs that Copilot would run without asking (${shownNames(found)}): remove them, or run copilot without Roost's gate.`;
}

/** Copilot heeds it in a folder that its user trusts, and would run without its gate. */
async function refuseSwitch(cwd: string): Promise<string | null> {
	const found = await findHookSwitch(cwd);
	return found === null ? null : `In this repository ${found}, and so its gate: take that away, or start copilot yourself.`;
}

type RepositoryFolders = { root: string; folders: readonly string[] };

/** Null where there is no such folder. */
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

/** Half a sentence that names the file; null where there is none. */
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

/** What cannot be read as settings may still be read by Copilot: where it may name the switch, it counts. */
async function switchesOff(path: string): Promise<'switches' | 'may switch' | null> {
	const read = await readText(path, { mostBytes: SETTINGS_BYTES });
	if (read.kind === 'absent') return null;
	if (read.kind === 'refused' || read.cut) return 'may switch';
	if (!read.text.includes(SWITCH)) return null;
	// Comments or half a file are no settings.
	const settings = parseJson(read.text);
	return isJsonObject(settings) && settings[SWITCH] === false ? null : 'switches';
}

const SWITCH = 'disableAllHooks';

/** `trusted`: Copilot trusts the folder, or its user may still say so. Some of it runs in folders that nobody trusts. */
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

/** Whatever is in there counts, links and folders too: which of them Copilot reads is its own affair. */
async function programFolders(folder: string): Promise<string[]> {
	const all = ['hooks', 'extensions'].map((name) => entriesIn(join(folder, '.github', name)));
	return (await Promise.all(all)).flat();
}

const AGENT_FOLDERS = [join('.github', 'agents'), join('.claude', 'agents')];
const SERVERS = /mcp[-_]?servers/i;

/** Its servers start with an agent, and an agent starts without a question. */
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

const FILES = ['.mcp.json', join('.github', 'mcp.json'), join('.vscode', 'mcp.json'), join('.copilot', 'mcp-config.json')];
const KEYS = ['mcpServers', 'servers'];
/** Their names, each of which can be said no to; an error where they cannot be told. */
export async function repositoryServers(cwd: string): Promise<Result<string[]>> {
	const { folders } = (await repositoryFolders(cwd)) ?? { folders: [] };
	const names = new Set<string>();
	for (const folder of folders) {
		for (const file of FILES) {
			const read = await readJson(join(folder, file));
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
