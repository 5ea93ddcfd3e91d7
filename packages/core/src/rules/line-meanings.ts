// Every possible form of the parts of a shell line, for denies and asks. In doubt it returns more forms.
import { type Budget, createBudget, MAX_STEPS } from '../shell/budget.ts';
import { gitCommandAt } from '../shell/git-words.ts';
import { toGuardWord } from '../shell/guard-word.ts';
import { type ShellLine, type SimpleCommand, simpleCommands } from '../shell/simple-commands.ts';
import { baseName, runsOthers } from '../shell/wrappers.ts';

export type Meanings = {
	texts: readonly string[];
	/** Those of each part of the line, in the order of its commands. */
	parts: readonly (readonly string[])[];
	/** False where there are too many to check: a deny may have missed one, so nothing may be allowed. */
	complete: boolean;
};

type Gathered = { texts: string[]; deeper: boolean; budget: Budget };

export function meaningsOf(raw: string, line: ShellLine): Meanings {
	const gathered: Gathered = { texts: [], deeper: false, budget: createBudget() };
	const fragments = line.parsed ? [] : raw.split(/[\n;&|()`{}]/, MAX_STEPS);
	for (const fragment of [raw, ...fragments]) add(gathered, fragment.trim());
	const parts = commandsOf(line).map((command) => {
		const from = gathered.texts.length;
		addCommand(gathered, command, MAX_WRAPPING);
		return gathered.texts.slice(from);
	});
	return { texts: gathered.texts, parts, complete: !gathered.deeper && !gathered.budget.isSpent };
}

const MAX_WRAPPING = 3;

function commandsOf(line: ShellLine): readonly SimpleCommand[] {
	return line.parsed ? line.commands : line.recovered;
}

/** Costs its length, because every rule checks all of it. */
function add({ texts, budget }: Gathered, text: string): void {
	if (budget.spend(1 + text.length / CHARS_PER_STEP)) texts.push(text);
}

const CHARS_PER_STEP = 4;

function addCommand(gathered: Gathered, command: SimpleCommand, depth: number): void {
	const words = bracesExpanded(command, gathered.budget);
	const [name = '', ...args] = words;
	const forms = [command.text, words.join(' '), [baseName(name), ...args].join(' ')];
	if (baseName(name) === 'git') forms.push(['git', ...args.slice(gitCommandAt(args, 0))].join(' '));
	for (const form of forms) {
		add(gathered, form);
		for (const { append, target = '' } of command.writes) add(gathered, `${form} ${append ? '>>' : '>'} ${target}`);
	}
	if (!runsOthers(words)) return;
	if (depth === 0) {
		gathered.deeper = true;
		return;
	}
	addTails(gathered, args, depth - 1);
	if (command.input !== undefined) addNested(gathered, command.input, depth - 1);
}

/** A wrapper's options are not known here, so every tail of its arguments may be the command it runs, or be a line itself. */
function addTails(gathered: Gathered, args: readonly string[], depth: number): void {
	const joined = args.join(' ');
	const places = toPlaces(args);
	for (const [at, name] of args.entries()) {
		if (!gathered.budget.spend(1)) return;
		const place = places[at] ?? 0;
		// Parts of one text, which cost no copy.
		for (const start of startsIn(name)) {
			add(gathered, joined.slice(place + start));
			addNested(gathered, name.slice(start), depth);
		}
		if (baseName(name) === 'git') add(gathered, `git ${joined.slice(places[gitCommandAt(args, at + 1)] ?? joined.length)}`);
	}
}

function toPlaces(words: readonly string[]): number[] {
	let place = 0;
	return words.map((word) => {
		const own = place;
		place += word.length + 1;
		return own;
	});
}

/** Where in a word the name of a program may start: `rm`, `/bin/rm`, `--exec=rm`, `-xrm`, `-Hx/bin/rm`. */
function startsIn(word: string): ReadonlySet<number> {
	const option = /^--[\w-]+=|^-(?!-)/.exec(word)?.[0] ?? '';
	const letters = option === '-' ? (/^-[A-Za-z]{0,8}/.exec(word)?.[0].length ?? 1) : option.length;
	const starts = Array.from({ length: letters - option.length + 1 }, (_, at) => option.length + at);
	return new Set([0, ...starts, word.length - baseName(word).length]);
}

function addNested(gathered: Gathered, text: string, depth: number): void {
	if (PLAIN.test(text)) add(gathered, text);
	else for (const command of commandsOf(simpleCommands(text, gathered.budget))) addCommand(gathered, command, depth);
}

/** Nothing to split. */
const PLAIN = /^[\w.:/+@,-]*$/;

/** `{rm,-rf,x}` runs `rm -rf x`, and `r{m,} x` runs `rm r x`. */
function bracesExpanded({ words, syntax }: SimpleCommand, budget: Budget): readonly string[] {
	if (!words.some((word) => word.includes('{'))) return words;
	return words.flatMap((value, at) => {
		const word = syntax[at];
		if (word === undefined || !value.includes('{') || !budget.spend(word.text.length)) return [value];
		const { forms } = toGuardWord(word, new Map());
		return forms.every(({ sure }) => sure === 'fixed') ? forms.map((form) => form.value) : [value];
	});
}
