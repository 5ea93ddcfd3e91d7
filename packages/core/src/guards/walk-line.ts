// Follows a shell line: every command it can run, the possible values of its words, and the folders it may run in.
import {
	type ArithmeticFor,
	type Assignment,
	type Command,
	forEachChild,
	type Statement,
	type SyntaxNode,
	type Word,
} from 'unbash';
import { type Budget, costOf, createBudget, TOO_LONG } from '../shell/budget.ts';
import { type Form, fixedValue, type GuardWord, toGuardWord, type Variables } from '../shell/guard-word.ts';
import { fixedInput, toRedirections, writtenWords } from '../shell/redirections.ts';
import { readShell } from '../shell/simple-commands.ts';
import { evaluatesSubscript, hidesExpansion, opaqueExpansion, plainName, staticValue } from '../shell/words.ts';
import { isPlainArithmetic, isPlainStatement, whyNotTest } from './arithmetic.ts';
import { setBy, whyNotBuiltin } from './builtins.ts';
import { always, type Dirs, moveTo, START, union, type Way } from './dirs.ts';
import { type Inner, unwrap } from './unwrap.ts';
import { atStart, changesAnything, forgetChanged, forgetSetIn, isSetIn, learn, SAME_SHELL, setForms } from './variables.ts';

export type Part = {
	text: string;
	/** With quotes removed; empty where nothing is run, undefined where an expansion decides it. */
	name: string | undefined;
	/** The name is written without quotes or anything else to see through. */
	plain: boolean;
	args: readonly GuardWord[];
	settings: readonly Setting[];
	/** Files opened for writing by redirection. */
	writes: readonly GuardWord[];
	/** Where it may run, relative to where the line starts. */
	dirs: Dirs;
	/** Set where it may run more than once, or not in the order of the line. */
	unordered: Unordered;
};

type Unordered = 'again' | 'beside' | undefined;

export type Setting = {
	name: string;
	value: GuardWord | undefined;
	/** The variable of a loop, or of a builtin that sets it. */
	named?: true;
};

export type WalkedLine = {
	parts: readonly Part[];
	/** Why it is unclear what it does. */
	hidden: string | undefined;
	/** Something that is not allowed in plain lines. */
	opaque: string | undefined;
};

type Walk = {
	parts: Part[];
	/** Once it is set, nothing more is followed. */
	hidden: string | undefined;
	opaque: string | undefined;
	seen: number;
	depth: number;
	budget: Budget;
	/** Whether the here-documents of a shell are followed too. */
	readsInput: boolean;
};
/** Variables change in place; a subshell gets a copy. */
type Place = { dirs: Dirs; variables: Variables; unordered: Unordered };

const MAX_DEPTH = 5;

export function walkLine(
	line: string,
	known: Variables = new Map(),
	budget: Budget = createBudget(),
	readsInput = false,
): WalkedLine {
	const walk: Walk = { parts: [], hidden: undefined, opaque: undefined, seen: 0, depth: 0, budget, readsInput };
	walkText(line, { dirs: START, variables: atStart(known), unordered: undefined }, walk);
	return { parts: walk.parts, hidden: budget.isSpent ? TOO_LONG : walk.hidden, opaque: walk.opaque };
}

/** False where the line is not to be followed any further. */
function pay(walk: Walk, steps: number): boolean {
	if (!walk.budget.spend(steps)) walk.hidden ??= TOO_LONG;
	return walk.hidden === undefined;
}

function walkText(text: string, at: Place, walk: Walk): Dirs {
	const { line, script } = readShell(text, walk.budget);
	if (!line.parsed || script === undefined) {
		walk.hidden ??= line.parsed ? 'it cannot be parsed' : line.why;
		return at.dirs;
	}
	if (walk.depth >= MAX_DEPTH) walk.hidden ??= 'it is nested too deeply';
	if (walk.hidden !== undefined) return at.dirs;
	walk.opaque ??= line.commands.find((command) => command.opaque !== undefined)?.opaque;
	const inner: Walk = { ...walk, depth: walk.depth + 1, seen: 0 };
	const dirs = walkList(script.commands, at, inner);
	// Two walks over the same line must find the same commands; if not, one of them missed some.
	const expected = line.commands.filter((command) => command.opaque === undefined).length;
	walk.hidden = inner.hidden ?? (inner.seen < expected ? 'a part of it was not understood' : undefined);
	walk.opaque = inner.opaque;
	return dirs;
}

function walkList(statements: readonly Statement[], at: Place, walk: Walk): Dirs {
	let dirs = at.dirs;
	for (const { command, background } of statements) {
		if (!pay(walk, 1)) break;
		const way = background ? apart(command, beside({ ...at, dirs }), walk) : walkNode(command, { ...at, dirs }, walk);
		dirs = union(way.yes, way.no);
	}
	return dirs;
}

function walkNode(node: SyntaxNode, at: Place, walk: Walk): Way {
	if (!pay(walk, 1)) return always(at.dirs);
	switch (node.type) {
		case 'Command':
			return walkCommand(node, at, walk);
		case 'AndOr':
			return walkAndOr(node.commands, node.operators, at, walk);
		case 'Pipeline':
			// Some shells run the last command of a pipeline themselves.
			return merge(
				always(at.dirs),
				...node.commands.map((command) => branch(command, node.commands.length > 1 ? beside(at) : at, walk)),
			);
		case 'Subshell':
			return apart(node.body, at, walk);
		case 'CompoundList':
			return always(walkList(node.commands, at, walk));
		case 'BraceGroup':
			return walkNode(node.body, at, walk);
		case 'If': {
			const lists = [node.clause, node.then, ...node.elif.flatMap((each) => [each.clause, each.then])];
			return walkBranches(node.else === undefined ? lists : [...lists, node.else], at, walk);
		}
		case 'For':
			return walkFor(node.name, node.wordlist, node.body, at, walk);
		case 'While':
			return walkLoop([node.clause, node.body], at, walk);
		case 'ArithmeticFor':
			return walkArithmeticFor(node, at, walk);
		case 'Case':
			for (const word of [node.word, ...node.items.flatMap((item) => item.pattern)]) walkInside(word, at, walk);
			return walkBranches(
				node.items.map((item) => item.body),
				at,
				walk,
			);
		case 'Redirected':
			for (const redirect of node.redirects) walkInside(redirect, at, walk);
			addPart(walk, { ...emptyPart(at), text: '{ … }', writes: toWrites(node.redirects, at) });
			return walkNode(node.command, at, walk);
		case 'TestCommand':
			walkInside(node, at, walk);
			walk.hidden ??= whyNotTest(node.expression, at.variables);
			return always(at.dirs);
		case 'ArithmeticCommand':
			walkInside(node, at, walk);
			if (!isPlainStatement(node.expression, at.variables)) walk.hidden ??= ARITHMETIC;
			return always(at.dirs);
		default:
			walk.hidden ??= node.type === 'Function' ? 'it defines a function' : `it holds a ${node.type.toLowerCase()}`;
			return always(at.dirs);
	}
}

function walkAndOr(nodes: readonly SyntaxNode[], operators: readonly string[], at: Place, walk: Walk): Way {
	const [first, ...rest] = nodes;
	let way = first === undefined ? always(at.dirs) : walkNode(first, at, walk);
	const variables = copyOf(at, walk);
	for (const [index, node] of rest.entries()) {
		if (operators[index] === '&&') {
			const next = walkNode(node, { ...at, dirs: way.yes, variables }, walk);
			way = { yes: next.yes, no: union(way.no, next.no) };
		} else {
			const next = branch(node, { ...at, dirs: way.no, variables }, walk);
			way = { yes: union(way.yes, next.yes), no: next.no };
		}
	}
	forgetChanged(at.variables, variables);
	return way;
}

function beside(at: Place): Place {
	return { ...at, unordered: at.unordered ?? 'beside' };
}

/** A subshell: its folders and variables end with it. */
function apart(node: SyntaxNode, at: Place, walk: Walk): Way {
	walkNode(node, { ...at, variables: copyOf(at, walk) }, walk);
	return always(at.dirs);
}

/** Costs twice its size: changes in a copy are searched afterwards. */
function copyOf({ variables }: Place, walk: Walk): Variables {
	return pay(walk, 2 * variables.size) ? new Map(variables) : new Map();
}

/** It may or may not run, so the variables it sets are unknown afterwards. */
function branch(node: SyntaxNode, at: Place, walk: Walk): Way {
	const variables = copyOf(at, walk);
	const way = walkNode(node, { ...at, variables }, walk);
	forgetChanged(at.variables, variables);
	return way;
}

/** Any of them may have run before the next. */
function walkBranches(nodes: readonly SyntaxNode[], at: Place, walk: Walk): Way {
	return nodes.reduce((before, node) => merge(before, branch(node, { ...at, dirs: before.yes }, walk)), always(at.dirs));
}

function merge(...ways: readonly Way[]): Way {
	return always(ways.reduce<Dirs>((dirs, way) => union(dirs, union(way.yes, way.no)), []));
}

function walkFor(name: Word, list: readonly Word[] | undefined, body: SyntaxNode, at: Place, walk: Walk): Way {
	for (const word of list ?? []) walkInside(word, at, walk);
	const forms: readonly Form[] | undefined = list?.flatMap((word) => toGuardWord(word, at.variables).forms);
	addPart(walk, { ...emptyPart(at), text: `for ${name.text}`, settings: [{ name: name.text, value: undefined, named: true }] });
	const variables = copyOf(at, walk);
	forgetSetIn(variables, [body], walk.budget);
	setForms(variables, name.text, isSetIn(name.text, body, walk.budget) ? undefined : forms);
	const way = walkLoop([body], { ...at, variables }, walk);
	at.variables.delete(name.text);
	forgetSetIn(at.variables, [body], walk.budget);
	return way;
}

function walkArithmeticFor(node: ArithmeticFor, at: Place, walk: Walk): Way {
	walkInside(node, at, walk, [node.body]);
	if (node.initialize !== undefined && !isPlainStatement(node.initialize, at.variables)) walk.hidden ??= ARITHMETIC;
	const steps = [node.test, node.update].filter((step) => step !== undefined);
	forgetSetIn(at.variables, [...steps, node.body], walk.budget);
	if (!steps.every((step) => isPlainArithmetic(step, at.variables))) walk.hidden ??= ARITHMETIC;
	return walkLoop([node.body], at, walk);
}

/** It may run again, so the variables it sets are unknown from the start, and it must return to its first folder. */
function walkLoop(nodes: readonly SyntaxNode[], at: Place, walk: Walk): Way {
	forgetSetIn(at.variables, nodes, walk.budget);
	let dirs = at.dirs;
	for (const node of nodes) {
		const way = branch(node, { ...at, dirs, unordered: 'again' }, walk);
		dirs = union(dirs, union(way.yes, way.no));
	}
	if (dirs !== at.dirs) walk.hidden ??= 'it changes the folder in a loop: put the cd and what belongs to it into ( … )';
	return always(dirs);
}

function walkCommand(node: Command, at: Place, walk: Walk): Way {
	walk.seen++;
	const settings = walkPrefix(node, at, walk);
	walkInside(
		node,
		at,
		walk,
		node.prefix.filter(({ type }) => type === 'Assignment'),
	);
	const words = [node.name, ...node.args].flatMap((word) => (word === undefined ? [] : [toGuardWord(word, at.variables)]));
	const declared = node.args.flatMap((part) =>
		part.type === 'Assignment' ? [{ name: part.name, value: toSetting(part, at) }] : [],
	);
	const plain = node.name === undefined || plainName(node.name) !== undefined;
	if (evaluatesSubscript(words.map((word) => word.forms[0]?.value ?? '')))
		walk.hidden ??= 'an argument is evaluated as a subscript';
	if (node.name !== undefined && staticValue(node.name) === undefined)
		walk.hidden ??= `the name of a command is hidden in ${node.name.text}`;
	const bare = node.prefix.length === 0 && node.redirects.length === 0;
	const input = walk.readsInput ? fixedInput(node.redirects) : undefined;
	return run({ words, settings, declared, plain, bare, writes: toWrites(node.redirects, at), input }, at, walk);
}

/** The assignments before a command, in order; the command itself may see the new values or the old ones. */
function walkPrefix({ prefix }: Command, at: Place, walk: Walk): Setting[] {
	const settings: Setting[] = [];
	for (const part of prefix) {
		if (part.type !== 'Assignment') continue;
		walkInside(part, at, walk);
		const setting = { name: part.name, value: toSetting(part, at) };
		learn(at.variables, true, [setting]);
		settings.push(setting);
	}
	learn(at.variables, false, settings);
	return settings;
}

type Run = {
	words: readonly GuardWord[];
	/** Set before its name. */
	settings: readonly Setting[];
	/** Set among its words. */
	declared: readonly Setting[];
	plain: boolean;
	/** Nothing but its words. */
	bare: boolean;
	writes: readonly GuardWord[];
	input?: string | undefined;
};

function run({ words, settings, declared, plain, bare, writes, input }: Run, at: Place, walk: Walk): Way {
	const [first, ...args] = words;
	const name = first === undefined ? '' : fixedValue(first);
	const text = words.map((word) => word.text).join(' ');
	const sets = setBy(name ?? '', args);
	const set: Setting[] = sets === undefined || 'why' in sets ? [] : sets.settings.map((each) => ({ ...each, named: true }));
	const { dirs: from, unordered } = at;
	const now = walk.parts.length;
	addPart(walk, { text, name, plain, args, settings: [...settings, ...set, ...declared], writes, dirs: from, unordered });
	if (name === undefined) walk.hidden ??= `the name of a command is hidden in ${first?.text ?? text}`;
	if (name === undefined || walk.hidden !== undefined) return always(at.dirs);
	walk.hidden ??= sets !== undefined && 'why' in sets ? sets.why : whyNotBuiltin(name, args, declared);
	learn(at.variables, name === '', settings);
	if (sets !== undefined) learn(at.variables, true, [...set, ...declared]);
	const dirs = unwrap(name, args, input).reduce((before, inner) => union(before, walkInner(name, inner, at, walk)), at.dirs);
	if (changesAnything(name)) at.variables.clear();
	return moveTo({ name, args, bare, now: unordered === undefined ? now : Number.POSITIVE_INFINITY }, dirs);
}

/** The folders of the shell after it. */
function walkInner(name: string, inner: Inner, at: Place, walk: Walk): Dirs {
	if (inner.kind === 'hidden') walk.hidden ??= inner.why;
	else if (inner.kind === 'line' && inner.here) return walkText(inner.text, at, walk);
	else if (inner.kind === 'line') walkText(inner.text, { ...at, variables: atStart() }, walk);
	else if (SAME_SHELL.has(name)) {
		const way = runInner(inner, at, walk);
		return union(way.yes, way.no);
	} else runInner(inner, { ...at, variables: copyOf(at, walk), unordered: inner.again ? 'again' : at.unordered }, walk);
	return at.dirs;
}

function runInner({ words, settings }: Extract<Inner, { kind: 'command' }>, at: Place, walk: Walk): Way {
	if (walk.depth >= MAX_DEPTH) {
		walk.hidden ??= 'it is nested too deeply';
		return always(at.dirs);
	}
	walk.depth++;
	const way = run({ words, settings, declared: [], plain: true, bare: false, writes: [] }, at, walk);
	walk.depth--;
	return way;
}

/** Walks substitutions inside words, and looks for expansions that evaluate text. */
function walkInside(node: SyntaxNode, at: Place, walk: Walk, except: readonly SyntaxNode[] = []): void {
	if (except.includes(node) || !pay(walk, 1)) return;
	if ('script' in node && node.script !== undefined) {
		const own = { ...at, variables: copyOf(at, walk) };
		walkList(node.script.commands, node.type === 'ProcessSubstitution' ? beside(own) : own, walk);
		return;
	}
	walk.hidden ??= whyNotExpansion(node, at);
	if ('redirects' in node) walk.hidden ??= toRedirections(node.redirects).acts;
	forEachChild(node, (child) => walkInside(child, at, walk, except));
}

const ARITHMETIC = 'it does arithmetic with what is not known to be a number';

function whyNotExpansion(node: SyntaxNode, at: Place): string | undefined {
	switch (node.type) {
		case 'ArithmeticExpansion':
			return isPlainArithmetic(node.expression, at.variables) ? undefined : ARITHMETIC;
		case 'ArrayValue':
			return node.elements.some(({ text }) => text.startsWith('[')) ? 'an array subscript evaluates text' : undefined;
		case 'Word':
			return hidesExpansion(node) ? 'a word holds more than text' : undefined;
		case 'FileDescriptorVariable':
			return 'a redirection sets a variable';
		default:
			return opaqueExpansion(node);
	}
}

function toSetting(part: Assignment, at: Place): GuardWord | undefined {
	return part.value.type === 'Word' && !part.append && part.index === undefined
		? toGuardWord(part.value, at.variables)
		: undefined;
}

function toWrites(redirects: Command['redirects'], at: Place): GuardWord[] {
	return writtenWords(redirects).map((word) => toGuardWord(word, at.variables));
}

function addPart(walk: Walk, part: Part): void {
	if (!pay(walk, costOf(part))) return;
	walk.parts.push(part);
	if (walk.parts.length > MAX_PARTS) walk.hidden ??= 'it runs too many commands';
}

const MAX_PARTS = 2_000;

function emptyPart(at: Place): Part {
	return { text: '', name: '', plain: true, args: [], settings: [], writes: [], dirs: at.dirs, unordered: at.unordered };
}
