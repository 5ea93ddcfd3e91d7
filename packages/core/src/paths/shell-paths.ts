// Every path that a shell line may use, anywhere in its grammar. In doubt it returns more paths.
import { type Command, forEachChild, parse, type Redirection, type SyntaxNode, type Word } from 'unbash';
import { names } from '../shell/flags.ts';
import { baseName } from '../shell/wrappers.ts';
import {
	CODE_WRITES,
	changedArguments,
	changesFolder,
	deepAccess,
	EXECUTORS,
	MESSAGE_OPTIONS,
	PRINTERS,
	SEARCHERS,
	TAKE_MESSAGES,
} from './command-access.ts';
import { expandAssigned, expandWord } from './expand-word.ts';
import { MAX_USES, type PathContext, type PathUse, UNKNOWN } from './path-use.ts';
import { fileUrlPath, MAX_TEXT, patchedFiles, pathsInText, pathsInWord } from './text-paths.ts';

/** A program that is run, with the words behind its name. */
export type RunCommand = { name: string; args: readonly string[]; dirs: readonly string[] };

export type ShellPaths = { uses: PathUse[]; commands: RunCommand[]; complete: boolean };

type Walk = ShellPaths & { values: Map<string, string[]>; dirs: string[]; feeds: boolean; depth: number };

const MAX_DIRS = 12;
const MAX_DEPTH = 4;
const MAX_VALUES = 8;

export function shellPaths(line: string, { cwd, variables }: PathContext): ShellPaths {
	const values = new Map([...variables].map(([name, value]) => [name, [value]]));
	values.set('PWD', [cwd]);
	const walk: Walk = { uses: [], commands: [], complete: true, values, dirs: [cwd], feeds: false, depth: 0 };
	walkText(line, walk);
	return walk;
}

function walkText(line: string, walk: Walk): void {
	addText(line, '', walk, line.length > MAX_TEXT);
	const nodes = line.length > MAX_TEXT ? undefined : parseAll(line);
	if (nodes === undefined) {
		walk.complete = false;
		return;
	}
	walk.feeds ||= nodes.some((node) => node.type === 'Command' && EXECUTORS.has(nameOf(node)));
	// Twice: a variable may be set from an earlier one.
	for (const node of [...nodes, ...nodes]) learn(node, walk);
	for (const node of nodes) visit(node, walk);
}

/** All nodes in the order of the text; undefined where the parser gives up. */
function parseAll(line: string): SyntaxNode[] | undefined {
	const nodes: SyntaxNode[] = [];
	const add = (node: SyntaxNode) => {
		if (nodes.length > MAX_NODES) return;
		nodes.push(node);
		forEachChild(node, add);
	};
	try {
		add(parse(line));
		return nodes.length > MAX_NODES ? undefined : nodes;
	} catch {
		// A line that breaks the parser is searched as text, and counts as incomplete.
		return undefined;
	}
}

const MAX_NODES = 20_000;

function learn(node: SyntaxNode, { values }: Walk): void {
	if (node.type === 'Assignment') learnValues(values, node.name, expandAssigned(node, values));
	if (node.type === 'For' || node.type === 'Select') {
		learnValues(
			values,
			node.name.text,
			(node.wordlist ?? []).flatMap((word) => expandWord(word, values)),
		);
	}
}

function learnValues(values: Map<string, string[]>, name: string, forms: readonly string[]): void {
	const known = values.get(name) ?? [];
	values.set(name, [...new Set([...known, ...forms])].slice(0, MAX_VALUES));
}

function visit(node: SyntaxNode, walk: Walk): void {
	if (node.type === 'Command') visitCommand(node, walk);
	if (node.type === 'Assignment') for (const form of expandAssigned(node, walk.values)) addPath(form, walk, {});
	if (node.type === 'For' || node.type === 'Select') {
		for (const word of node.wordlist ?? []) for (const form of expandWord(word, walk.values)) addPath(form, walk, {});
	}
	if ('redirects' in node) for (const redirect of node.redirects) addRedirect(redirect, node, walk);
}

function visitCommand(node: Command, walk: Walk): void {
	const words = [node.name, ...node.args].filter((word) => word !== undefined && word.type === 'Word');
	const forms = words.map((word) => expandWord(word, walk.values));
	const texts = forms.map((each) => each[0] ?? '');
	addRun(forms, texts, walk);
	// Behind `env`, `sudo` and such the words are those of another command.
	const at = commandAt(texts);
	const name = baseName(texts[at] ?? '');
	const args = texts.slice(at + 1);
	const dirs = [...walk.dirs, ...chosenFolders(forms, walk)];
	if (FOLDER_CHANGERS.has(name)) moveInto(forms.slice(at + 1), walk);
	const deep = deepAccess(name, args);
	const isChanged = changedArguments(name, args);
	const pattern = SEARCHERS.has(name) ? patternAt(args) : undefined;
	for (const [index, word] of words.entries()) {
		const arg = index - at - 1;
		if (arg >= 0 && (arg === pattern || isMessage(name, args[arg - 1] ?? ''))) continue;
		const use = { writes: arg >= 0 && isChanged(arg), ...(deep !== undefined && arg >= 0 && { deep }) };
		for (const form of forms[index] ?? []) {
			if (isSentence(word, form)) addSentence(form, name, walk);
			addPath(form, walk, use, dirs);
		}
	}
	if (deep !== undefined && SEARCHERS.has(name) && !args.some((arg, index) => index !== pattern && !arg.startsWith('-'))) {
		addPath('.', walk, { deep }, dirs);
	}
	if (changesFolder(name, args)) for (const dir of dirs) addPath(dir, walk, { writes: true });
}

function nameOf(node: Command): string {
	return baseName(node.name?.value ?? '');
}

/** Where the command behind others that run it begins; options of theirs that take a value are not known, so the first name counts. */
function commandAt(texts: readonly string[]): number {
	let at = 0;
	while (at < texts.length && RUNNERS.has(baseName(texts[at] ?? ''))) {
		at++;
		while (at < texts.length && /^-|^\w+=|^[\d.]+[smhd]?$/.test(texts[at] ?? '')) at++;
	}
	return at < texts.length ? at : 0;
}

const RUNNERS = names(
	'env sudo doas command builtin exec nohup nice ionice setsid stdbuf time timeout gtimeout busybox toybox xargs',
);

const FOLDER_CHANGERS = new Set(['cd', 'pushd', 'chdir', 'popd']);

function moveInto(forms: readonly (readonly string[])[], walk: Walk): void {
	const bases = [...walk.dirs, ...(walk.values.get('CDPATH') ?? []).flatMap((each) => each.split(':'))];
	const targets = forms.flat().filter((form) => !form.startsWith('-'));
	for (const target of targets.length > 0 ? targets : ['~']) addDirs(walk, target, bases);
}

/** Folders that options choose: `-C`, `--directory`, `--chdir`, `--prefix`. */
function chosenFolders(forms: readonly (readonly string[])[], walk: Walk): string[] {
	const chosen = forms.flatMap((each, at) => {
		const [text = ''] = each;
		const own = /^(?:-C|--(?:directory|chdir|prefix|cwd|work-tree)=)(.+)$/s.exec(text)?.[1];
		if (own !== undefined) return [own];
		return /^(?:-C|-D|--directory|--chdir|--prefix|--cwd|--work-tree)$/.test(forms[at - 1]?.[0] ?? '') ? each : [];
	});
	return chosen.flatMap((form) => (isRooted(form) ? [form] : walk.dirs.map((dir) => `${dir}/${form}`)));
}

function addDirs(walk: Walk, target: string, bases: readonly string[]): void {
	const found = isRooted(target) ? [target] : bases.map((base) => `${base}/${target}`);
	for (const dir of found) {
		if (walk.dirs.includes(dir)) continue;
		if (walk.dirs.length < MAX_DIRS) walk.dirs.push(dir);
		else walk.complete = false;
	}
	walk.values.set('PWD', [...walk.dirs].slice(0, MAX_VALUES));
	walk.values.set('OLDPWD', [...walk.dirs].slice(0, MAX_VALUES));
}

function isRooted(path: string): boolean {
	return path.startsWith('/') || path.startsWith('~') || path.startsWith(UNKNOWN);
}

/** Undefined where the pattern is given by an option. */
function patternAt(args: readonly string[]): number | undefined {
	if (args.some((arg) => /^(?:-[A-Za-z]*[ef]|--regexp|--file|--files)(?:=.*)?$/.test(arg))) return undefined;
	const at = args.findIndex(
		(arg, index) => !arg.startsWith('-') && !/^(?:-[A-Za-z]*[ABCmgtT]|--glob|--type)$/.test(args[index - 1] ?? ''),
	);
	return at < 0 ? undefined : at;
}

/** Words that a command keeps as a message. */
function isMessage(name: string, before: string): boolean {
	return MESSAGE_OPTIONS.has(before) && TAKE_MESSAGES.has(name);
}

function isSentence(word: Word, form: string): boolean {
	return word.text !== form && /[\s;|&()'"`]/.test(form);
}

/** Text in an argument: code for those that run it, and otherwise read like the arguments of another command. */
function addSentence(form: string, name: string, walk: Walk): void {
	if (PRINTERS.has(name) && !walk.feeds) return;
	addText(form, name, walk, true);
	if (walk.depth >= MAX_DEPTH) walk.complete = false;
	else {
		walk.depth++;
		walkText(form, walk);
		walk.depth--;
	}
}

function addText(text: string, name: string, walk: Walk, isCode: boolean): void {
	for (const file of patchedFiles(text)) addPath(file, walk, { writes: true });
	if (!isCode) return;
	const writes = CODE_WRITES.test(text);
	for (const piece of pathsInText(text)) addPath(piece, walk, { inText: true, writes });
	if (EXECUTORS.has(name) && OWN_VARIABLE.test(text))
		for (const form of walk.values.get('ROOST_HOME') ?? []) addPath(form, walk, {});
}

/** Code that reads the variable; setting it is harmless. */
const OWN_VARIABLE = /ROOST_HOME(?!\s*[=:])/;

function addRedirect(redirect: Redirection, owner: SyntaxNode, walk: Walk): void {
	if (redirect.type === 'HereDoc') {
		const name = owner.type === 'Command' ? nameOf(owner) : '';
		if (walk.feeds || EXECUTORS.has(name) || PATCHERS.has(name)) addSentence(redirect.body.text, name, walk);
		return;
	}
	if (redirect.target === undefined) return;
	const writes = redirect.type === 'Redirect' && !['<', '<&'].includes(redirect.operator);
	for (const form of expandWord(redirect.target, walk.values)) {
		if (redirect.type === 'HereString') addSentence(form, '', walk);
		else addPath(form, walk, { writes });
	}
}

const PATCHERS = new Set(['apply_patch', 'applypatch', 'patch', 'git']);

function addPath(form: string, walk: Walk, use: Omit<PathUse, 'path'>, dirs: readonly string[] = walk.dirs): void {
	const url = fileUrlPath(form);
	for (const path of new Set([form, ...(url === undefined ? [] : [url]), ...pathsInWord(form)])) {
		if (path === '' || (path.startsWith('-') && !path.includes('/'))) continue;
		const bases = isRooted(path) ? [''] : dirs.map((dir) => `${dir}/`);
		const own = ownFolder(path);
		const places = own === undefined ? bases.map((base) => base + path) : dirs.map((dir) => dir + own);
		for (const place of places) push(walk, { ...use, path: place });
	}
}

/** The rest of a path below the working directory, where that is written as `~+`, `~-` or by its process. */
function ownFolder(path: string): string | undefined {
	return /^(?:~[+-]|\/+proc\/+(?:self|thread-self|\0)\/+cwd)(\/.*|$)/s.exec(path)?.[1];
}

function push(walk: Walk, use: PathUse): void {
	if (walk.uses.length < MAX_USES) walk.uses.push(use);
	else walk.complete = false;
}

function addRun(forms: readonly (readonly string[])[], texts: readonly string[], walk: Walk): void {
	const runsOthers = EXECUTORS.has(baseName(texts[0] ?? '')) || RUNNERS.has(baseName(texts[0] ?? ''));
	const starts = runsOthers ? texts.keys() : [0];
	for (const at of starts) {
		const names = forms[at] ?? [];
		const args = forms.slice(at + 1).flat();
		// `{roost,allow}` is a name and an argument.
		for (const [index, name] of names.entries())
			walk.commands.push({ name, args: [...names.slice(index + 1), ...args], dirs: walk.dirs });
	}
}
