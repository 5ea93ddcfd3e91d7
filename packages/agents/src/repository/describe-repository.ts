// What a repository configures for an agent, one line per file: names, never values.
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readText } from '@roost/machine/foreign-file';
import { findRepository, foldersBetween } from './find-repository.ts';
import { entriesOf, readJson, SETTINGS_BYTES, shownName, shownNames } from './json-file.ts';

const MOST_LINES = 40;
const LONGEST_LINE = 400;
const MOST_ENTRIES = 1000;
const UNTOLD: ReadonlySet<string> = new Set(['$schema', 'version']);

/** Never fails: unreadable files are listed as such. */
export async function describeRepository(files: readonly RepositoryFile[], cwd: string): Promise<string[]> {
	const folder = await realpath(cwd).catch(() => undefined);
	if (folder === undefined) return [];
	const { root, project } = await findRepository(folder);
	// A linked worktree takes some settings from the main one.
	const folders = [...new Set([...(project === root ? [] : [project]), ...foldersBetween(root, folder)])];
	const lines: string[] = [];
	for (const each of folders) {
		for (const file of files) {
			const path = join(each, file.path);
			const what = await READERS[file.form](path);
			if (what !== undefined) lines.push(shownName(`${shownName(relative(root, path), 160)}: ${what}`, LONGEST_LINE));
		}
	}
	return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more files`];
}

type Reader = (path: string) => Promise<string | undefined>;

const READERS: Readonly<Record<RepositoryFile['form'], Reader>> = {
	async json(path) {
		const read = await readJson(path);
		if (read.kind === 'absent') return undefined;
		return read.kind === 'refused' ? unreadable(read.why) : describeJson(read.value);
	},
	async toml(path) {
		const read = await readText(path, { mostBytes: SETTINGS_BYTES });
		if (read.kind === 'absent') return undefined;
		return read.kind === 'refused' ? unreadable(read.why) : describeToml(read.text);
	},
	async names(path) {
		const names = await namesIn(path);
		return names.length === 0 ? undefined : shownNames(names.sort());
	},
	async present(path) {
		return (await lstat(path).catch(() => undefined)) ? 'present' : undefined;
	},
};

function unreadable(why: string): string {
	return `not listed because ${why}`;
}

function describeJson(value: unknown): string | undefined {
	const entries = entriesOf(value);
	if (!entries) return unreadable('it is not a map of settings');
	const parts = entries.filter(([key]) => !UNTOLD.has(key)).map(([key, each]) => withNames(key, each));
	return parts.length === 0 ? undefined : listed(parts);
}

/** `permissions (allow: 2, defaultMode)`. */
function withNames(key: string, value: unknown): string {
	const inner = (entriesOf(value) ?? []).map(([name, each]) => (Array.isArray(each) ? `${name}: ${each.length}` : name));
	if (Array.isArray(value)) return `${shownName(key)}: ${value.length}`;
	return inner.length === 0 ? shownName(key) : `${shownName(key)} (${shownNames(inner)})`;
}

const HEADER = /^\s*\[{1,2}\s*([^\]]{1,200})\]/;
const KEY = /^\s*((?:"[^"]{0,100}"|'[^']{0,100}'|[\w-]{1,100})(?:\s*\.\s*[\w"'-]{1,100}){0,5})\s*=/;

/** Tables, and keys before the first one. */
function describeToml(text: string): string | undefined {
	const lines = text.split('\n');
	const firstTable = lines.findIndex((line) => HEADER.test(line));
	const keys = lines.slice(0, firstTable < 0 ? lines.length : firstTable).flatMap((line) => KEY.exec(line)?.[1] ?? []);
	const tables = lines.flatMap((line) => HEADER.exec(line)?.[1]?.trim() ?? []);
	const names = [...new Set([...keys, ...tables])];
	return names.length === 0 ? undefined : listed(names.map((name) => shownName(name)));
}

const MOST_PARTS = 20;

function listed(parts: readonly string[]): string {
	const rest = parts.length > MOST_PARTS ? [`${parts.length - MOST_PARTS} more`] : [];
	return [...parts.slice(0, MOST_PARTS), ...rest].join(', ');
}

async function namesIn(path: string): Promise<string[]> {
	const names: string[] = [];
	const folder = await opendir(path).catch(() => undefined);
	if (!folder) return names;
	for await (const { name } of folder) {
		if (names.length >= MOST_ENTRIES) break;
		names.push(name);
	}
	return names;
}

/** `names`: lists the entries of a folder. `present`: only whether it exists. */
export type RepositoryFile = { path: string; form: 'json' | 'toml' | 'names' | 'present' };

export function repositoryFiles(form: RepositoryFile['form'], ...paths: readonly string[]): RepositoryFile[] {
	return paths.map((path) => ({ path, form }));
}

/** Read by several agents. */
export const CLAUDE_SETTINGS = repositoryFiles('json', '.claude/settings.json', '.claude/settings.local.json');
export const SHARED_SKILLS = repositoryFiles('names', '.agents/skills');
