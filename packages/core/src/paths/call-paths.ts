// Every path that a tool call may use, whatever the tool: shells word by word, other tools string by string.
import type { ToolInput } from '@roost/protocol/feed/base';
import { MAX_PATH, MAX_USES, type PathContext, type PathUse, type PathUses } from './path-use.ts';
import { type RunCommand, shellPaths } from './shell-paths.ts';
import { fileUrlPath, patchedFiles, pathsInText, pathsInWord } from './text-paths.ts';

type ToolCall = { tool: string; input: ToolInput };
export type CallPaths = PathUses & { commands: readonly RunCommand[] };

export function callPaths({ tool, input }: ToolCall, context: PathContext): CallPaths {
	if (TEXT_TOOLS.has(tool)) return { uses: [], commands: [], complete: true };
	const { strings, complete } = stringsOf(input, CONTENT.get(tool) ?? NONE);
	const folders = strings.filter(({ key }) => FOLDER_KEYS.has(key)).map(({ text }) => text);
	const contexts = [context, ...folders.map((folder) => ({ ...context, cwd: rooted(folder, context.cwd) }))];
	const found: Found = { uses: [], commands: [], complete: complete && contexts.length <= MAX_FOLDERS };
	for (const at of contexts.slice(0, MAX_FOLDERS)) {
		for (const string of strings) addString(found, tool, string, at);
		if (SEARCH_TOOLS.has(tool)) addSearch(found, tool, input, at);
	}
	return found.uses.length > MAX_USES ? { ...found, uses: found.uses.slice(0, MAX_USES), complete: false } : found;
}

type Found = { uses: PathUse[]; commands: RunCommand[]; complete: boolean };
type InputString = { key: string; text: string };

/** They take no path: paths in their input are only text. */
const TEXT_TOOLS = new Set(
	'Agent Task TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput AskUserQuestion WebSearch ToolSearch EnterPlanMode ExitPlanMode BashOutput KillShell SendMessage'.split(
		' ',
	),
);
const SHELL_TOOLS = new Set(['Bash', 'PowerShell', 'BashInput']);
const SEARCH_TOOLS = new Set(['Grep', 'Glob']);
const FILE_WRITERS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
const FILE_READERS = new Set(['Read', 'NotebookRead', 'LS', 'Grep', 'Glob', 'WebFetch']);
const READS = /read|get|list|search|find|view|show|stat|info|tree|fetch|describe|query/i;
const SHELL_KEYS = new Set(['command', 'cmd', 'script', 'chars', 'input', 'args', 'code', 'shell', 'line', 'exec']);
const FOLDER_KEYS = new Set(['cwd', 'workdir', 'working_directory', 'workingDirectory', 'work_dir', 'directory']);
const MAX_FOLDERS = 4;

/** Fields of known tools that hold content and no path. */
const NONE: ReadonlySet<string> = new Set();
const TEXT_FIELDS = new Set(['content', 'old_string', 'new_string', 'new_source', 'description']);
const CONTENT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
	...[...FILE_WRITERS, 'Read', 'NotebookRead', 'LS'].map((tool) => [tool, TEXT_FIELDS] as const),
	...[...SHELL_TOOLS].map((tool) => [tool, new Set(['description'])] as const),
	...[...SEARCH_TOOLS].map((tool) => [tool, new Set(['pattern', 'glob', 'description'])] as const),
	['WebFetch', new Set(['prompt'])],
]);

function addString(found: Found, tool: string, { key, text }: InputString, context: PathContext): void {
	const isShell = SHELL_TOOLS.has(tool) || (!isFileTool(tool) && SHELL_KEYS.has(key));
	if (isShell) addShell(found, text, context);
	for (const file of patchedFiles(text)) found.uses.push({ path: rooted(file, context.cwd), writes: true });
	if (SHELL_TOOLS.has(tool) && key === 'command') return;
	const writes = FILE_WRITERS.has(tool) || (!FILE_READERS.has(tool) && !READS.test(tool));
	// A tool that is not known may go through everything below a folder.
	const deep = isFileTool(tool) || FOLDER_KEYS.has(key) || NAMES_ONLY.test(tool) ? undefined : {};
	if (text.length <= MAX_PATH) addPath(found, text.trim(), { writes, ...(deep && { deep }) }, context.cwd);
	if (isFileTool(tool)) return;
	if (text.length <= MAX_PATH) for (const piece of pathsInWord(text)) addPath(found, piece, { writes }, context.cwd);
	for (const piece of pathsInText(text)) addPath(found, piece, { writes, inText: true }, context.cwd);
}

/** Of a folder, they return only names. */
const NAMES_ONLY = /list|ls|tree|stat|info|exists/i;

function isFileTool(tool: string): boolean {
	return FILE_WRITERS.has(tool) || FILE_READERS.has(tool);
}

function addShell(found: Found, text: string, context: PathContext): void {
	const { uses, commands, complete } = shellPaths(text, context);
	for (const use of uses) found.uses.push(use);
	found.commands.push(...commands);
	found.complete &&= complete;
}

function addPath(found: Found, text: string, use: Omit<PathUse, 'path'>, cwd: string): void {
	const url = fileUrlPath(text);
	for (const path of url === undefined ? [text] : [text, url]) {
		if (path !== '') found.uses.push({ ...use, path: rooted(path, cwd) });
	}
}

/** Where it searches and which files it takes there; hidden folders are searched too. */
function addSearch(found: Found, tool: string, input: ToolInput, { cwd }: PathContext): void {
	const roots = [input.path].flat().filter((path) => typeof path === 'string' && path !== '');
	for (const root of roots.length > 0 ? roots : ['.']) {
		const folder = rooted(String(root), cwd);
		const pattern = tool === 'Glob' ? input.pattern : input.glob;
		const globs = typeof pattern === 'string' && pattern !== '' ? braceForms(pattern) : undefined;
		if (tool === 'Glob') for (const glob of globs ?? []) found.uses.push({ path: rooted(glob, folder), search: true });
		else found.uses.push({ path: folder, deep: globs === undefined ? {} : { names: globs.map(lastName) } });
	}
}

function braceForms(glob: string): string[] {
	const [, before = '', list = '', after = ''] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(glob) ?? [];
	return list === '' ? [glob.replaceAll(/\{[^}]*\}/g, '*')] : list.split(',').map((item) => before + item + after);
}

function lastName(glob: string): string {
	return glob.startsWith('!') ? '*' : glob.slice(glob.lastIndexOf('/') + 1).replace('**', '*');
}

function rooted(given: string, cwd: string): string {
	const path = given.replace(/^\/+proc\/+(?:self|thread-self)\/+cwd(?=\/|$)/, cwd);
	return path.startsWith('/') || path.startsWith('~') || /^\$\{?\w+/.test(path) ? path : `${cwd}/${path}`;
}

const MAX_STRINGS = 2_000;
const MAX_NESTING = 12;

/** Keys of objects too: some tools take files by name. */
function stringsOf(input: ToolInput, skipped: ReadonlySet<string>): { strings: InputString[]; complete: boolean } {
	const strings: InputString[] = [];
	let complete = true;
	const visit = (value: unknown, key: string, depth: number): void => {
		if (strings.length >= MAX_STRINGS || depth > MAX_NESTING) {
			complete = false;
			return;
		}
		if (typeof value === 'string') strings.push({ key, text: value });
		else if (Array.isArray(value)) for (const each of value) visit(each, key, depth + 1);
		else if (typeof value === 'object' && value !== null) {
			for (const [name, each] of Object.entries(value)) {
				if (skipped.has(name)) continue;
				if (/[/~]/.test(name)) strings.push({ key: 'name', text: name });
				visit(each, name, depth + 1);
			}
		}
	};
	visit(input, '', 0);
	return { strings, complete };
}
