// Splits a shell line into every simple command it can run, wherever it stands in the grammar.
import { type Assignment, type Command, forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from 'unbash';
import { type Budget, createBudget, TOO_LONG } from './budget.ts';
import { type FileWrite, fixedInput, toRedirections } from './redirections.ts';
import { evaluatesSubscript, hidesSyntax, opaqueExpansion, plainName, wordValue } from './words.ts';

export type SimpleCommand = {
	/** As written, blanks folded: assignments, name, arguments and input redirections; written files are in `writes`. */
	text: string;
	/** The same words with their quotes removed, assignments left out; a deny looks at them too. */
	words: readonly string[];
	/** The syntax of the words, for their possible values. */
	syntax: readonly (Word | Assignment)[];
	/** Its input from a here-document or a here-string, if no expansion can change it. */
	input: string | undefined;
	/** Undefined unless the name is a plain literal word. */
	name: string | undefined;
	assignments: readonly string[];
	writes: readonly FileWrite[];
	/** Why no pattern may cover it, however well it matches. */
	opaque: string | undefined;
};

export type ShellLine =
	| { parsed: true; commands: SimpleCommand[] }
	/** `recovered` holds the commands that could still be read: a deny may use them, an allow may not. */
	| { parsed: false; why: string; recovered: SimpleCommand[] };

export function simpleCommands(line: string, budget: Budget = createBudget()): ShellLine {
	return readShell(line, budget).line;
}

/** The commands and their syntax tree, which is undefined unless the whole line was parsed. */
export function readShell(line: string, budget: Budget): { line: ShellLine; script: ParsedScript | undefined } {
	const read = takeApart(line, budget);
	return { line: read.line, script: read.line.parsed ? read.script : undefined };
}

function takeApart(line: string, budget: Budget): { line: ShellLine; script?: ParsedScript } {
	if (isTooComplex(line, budget)) return { line: { parsed: false, why: TOO_LONG, recovered: [] } };
	const hidden = HIDDEN.test(line);
	const visible = hidden ? line.replace(HIDDEN_ALL, '') : line;
	const walk: Walk = { commands: [], why: hidden ? 'it holds control or invisible characters' : undefined };
	let script: ParsedScript | undefined;
	try {
		script = parse(visible);
		walkScript(script, walk, visible);
	} catch (cause) {
		// A line that breaks the parser must lead to an ask, never to an allow.
		walk.why ??= `it cannot be parsed: ${String(cause)}`;
	}
	if (walk.why !== undefined) return { line: { parsed: false, why: walk.why, recovered: walk.commands } };
	return { line: { parsed: true, commands: walk.commands }, ...(script && { script }) };
}

// Shells disagree about these, and they are invisible: control characters except tab and newline, blanks except space, ignorable ones.
const HIDDEN_CLASS =
	'[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\p{Cs}]|(?! )\\p{Zs}';
const HIDDEN = new RegExp(HIDDEN_CLASS, 'u');
const HIDDEN_ALL = new RegExp(HIDDEN_CLASS, 'gu');

/** The parser may look ahead to the end from every opening, so their number times the length is its work. */
function isTooComplex(line: string, budget: Budget): boolean {
	if (line.length > MAX_LENGTH) return true;
	const openings = line.split(OPENING, MAX_OPENINGS + 2).length;
	return !budget.spend((openings * line.length) / CHARS_PER_STEP) || openings > MAX_OPENINGS + 1;
}

/** The limit of Linux for one argument of a program, and so for a shell line. */
const MAX_LENGTH = 131_072;
const MAX_OPENINGS = 3_000;
const OPENING = /[[({`]|<</;
const CHARS_PER_STEP = 64;

type Walk = { commands: SimpleCommand[]; why: string | undefined };
/** Where a reason for distrust goes: to the command the node belongs to. */
type Distrust = (why: string) => void;

function walkScript(script: ParsedScript, walk: Walk, source: string): void {
	const [error] = script.errors ?? [];
	if (error !== undefined) walk.why ??= `${error.message} at ${error.pos}`;
	const text = script.source ?? source;
	const distrust: Distrust = (why) => walk.commands.push(construct(text.slice(script.pos, script.end), why));
	for (const statement of script.commands) visit(statement, walk, text, distrust);
}

function visit(node: SyntaxNode, walk: Walk, source: string, distrust: Distrust): void {
	if (node.type === 'Command') visitCommand(node, walk, source);
	else if (node.type === 'Script') walkScript(node, walk, source);
	else visitOther(node, walk, source, distrust);
}

function visitOther(node: SyntaxNode, walk: Walk, source: string, distrust: Distrust): void {
	if ('script' in node && node.script === undefined) walk.why ??= 'a substitution cannot be parsed';
	if (node.type === 'Word' && hidesSyntax(node)) walk.why ??= 'a word holds more than text';
	if (node.type === 'HereDoc' && node.closing === undefined) walk.why ??= 'a here-document does not end';
	const why = opaqueExpansion(node);
	if (why !== undefined) distrust(why);
	const own = distrustedConstruct(node);
	if (own !== undefined) walk.commands.push(construct(source.slice(node.pos, node.end), own));
	forEachChild(node, (child) => visit(child, walk, source, distrust));
}

function visitCommand(node: Command, walk: Walk, source: string): void {
	let opaque: string | undefined;
	const distrust: Distrust = (why) => {
		opaque ??= why;
	};
	const at = walk.commands.length;
	forEachChild(node, (child) => visit(child, walk, source, distrust));
	const command = toSimpleCommand(node);
	// In reading order: the command before its substitutions.
	walk.commands.splice(at, 0, { ...command, opaque: command.opaque ?? opaque });
}

function toSimpleCommand(node: Command): SimpleCommand {
	const redirections = toRedirections(node.redirects);
	const assignments = node.prefix.filter((part) => part.type === 'Assignment');
	const name = node.name === undefined ? undefined : plainName(node.name);
	const words = [node.name, ...node.args].filter((word) => word !== undefined);
	const values = words.map(wordValue);
	const unnamed = node.name !== undefined && name === undefined;
	return {
		text: [...assignments.map((part) => part.text), ...words.map((word) => word.text), ...redirections.reads].join(' '),
		words: values,
		syntax: words,
		input: fixedInput(node.redirects),
		name,
		assignments: assignments.map((part) => part.name),
		writes: redirections.writes,
		opaque: unnamed ? 'its name is not a plain word' : (redirections.opaque ?? opaqueWords(words, values)),
	};
}

function opaqueWords(words: readonly { text: string }[], values: readonly string[]): string | undefined {
	if (evaluatesSubscript(values)) return 'an argument is evaluated as a subscript';
	// Some shells close a group at a bare brace, where bash sees an argument.
	return words.some((word) => word.text === '{' || word.text === '}') ? 'a bare brace is among its words' : undefined;
}

/** Constructs that change the meaning of later names, or evaluate text as code. */
function distrustedConstruct(node: SyntaxNode): string | undefined {
	switch (node.type) {
		case 'Function':
			return 'it defines a function';
		case 'Coproc':
			return 'it starts a coprocess';
		case 'ArithmeticFor':
		case 'ArithmeticCommand':
			return 'it evaluates arithmetic';
		case 'TestCommand':
			return 'it holds a [[ ]] test, which may evaluate text';
		case 'For':
		case 'Select':
			return LOOP_VARIABLE.test(node.name.text) ? undefined : 'its loop sets a variable that may matter';
		case 'Redirected': {
			const { writes, opaque } = toRedirections(node.redirects);
			return writes.length > 0 ? 'a group writes to a file' : opaque;
		}
		default:
			return undefined;
	}
}

// A loop may set any variable, PATH too (`path` in zsh): only names that mean nothing to a shell are trusted.
export const LOOP_VARIABLE = /^(?:[a-z]|file|dir|item|name|line|word)$/;

function construct(text: string, opaque: string): SimpleCommand {
	return { text: text.trim(), words: [], syntax: [], input: undefined, name: undefined, assignments: [], writes: [], opaque };
}
