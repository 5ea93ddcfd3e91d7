// Why the parts of a line may not be allowed by different rules: no rule covers the effect of one part on another.
import { READS_COMMANDS } from '../commands/acting-table.ts';
import { actingWords } from '../commands/acting-words.ts';
import { inlineCode } from '../commands/inline-code.ts';
import { type Part, walkLine } from '../guards/walk-line.ts';
import { createBudget, MAX_STEPS } from '../shell/budget.ts';
import { names } from '../shell/flags.ts';
import { fixedValue, toGuardWord } from '../shell/guard-word.ts';
import { LOOP_VARIABLE, type SimpleCommand } from '../shell/simple-commands.ts';
import { baseName, SHELLS } from '../shell/wrappers.ts';
import { whyFed } from './line-doubt.ts';

/** Undefined where no part affects another. */
export function whyNotCombined(line: string, commands: readonly SimpleCommand[]): string | undefined {
	const setter = commands.find(changesShell);
	if (setter !== undefined) return `${setter.words[0] ?? 'an assignment'} changes how the rest of the line runs`;
	if (commands.some(changesFolder) && commands.some(writesNearby))
		return 'a file is written in a folder that the line changes to';
	if (commands.some(takesCommandForFile)) return 'what a command writes is the file of another one, which may run it';
	const { hidden, parts } = walkLine(line, new Map(), createBudget(MOST_STEPS), true);
	return hidden ?? whyFed(commands) ?? parts.map(whyReads).find((why) => why !== undefined);
}

const MOST_STEPS = MAX_STEPS / 3;

/** `<(…)`, but for commands that only read their files. */
function takesCommandForFile({ words: [name = ''], syntax }: SimpleCommand): boolean {
	return !READERS.has(name) && syntax.some(({ text }) => /[<>=]\(/.test(text));
}

const READERS = names('diff comm cmp cat head tail wc grep');

/** Assignments without a command, and builtins that change variables, names, options or later commands. */
function changesShell({ words, assignments }: SimpleCommand): boolean {
	const [name = '', ...args] = words;
	if (assignments.length > 0 && (name === '' || CHANGING.has(name) || name === ':')) return true;
	if (name === 'read') return !args.every((word) => word === '-r' || LOOP_VARIABLE.test(word));
	if (name === 'command') return !/^-[vV]$/.test(args[0] ?? '');
	if (name === 'printf' || name === 'print' || name === 'wait') return args.some((word) => /^-\w*[vp]/.test(word));
	return CHANGING.has(name);
}

const CHANGING = names(
	`export declare typeset local readonly integer float private mapfile readarray getopts let unset set setopt unsetopt shopt emulate shift
	alias unalias hash rehash unhash enable disable source . eval exec trap bind builtin noglob nocorrect autoload functions zmodload vared zstyle
	zle umask ulimit complete compgen fc history -`,
);

function changesFolder({ words: [name = ''] }: SimpleCommand): boolean {
	return FOLDER.has(name);
}

const FOLDER = names('cd chdir pushd popd');

/** Where the files are that it writes depends on where it runs. */
function writesNearby({ words, syntax, writes }: SimpleCommand): boolean {
	if (writes.some(({ target }) => !target?.startsWith('/'))) return true;
	const args = syntax.slice(1).map((word) => toGuardWord(word, new Map()));
	return actingWords(words[0] ?? '', args).acting.some(({ kind }) => kind === 'writes');
}

/** Whether another part of the line may supply its program. */
function whyReads({ name = '', args }: Part): string | undefined {
	const base = baseName(name);
	const values = args.map((word) => fixedValue(word) ?? '-');
	const reads =
		(SHELLS.has(base) && !namesProgram(values)) ||
		READS_COMMANDS.has(base) ||
		inlineCode(base, args)?.from === 'input' ||
		(!READERS.has(base) && values.some((value) => INPUT_FILE.test(value))) ||
		(values.includes('-') && actingWords(name, args).acting.some(({ kind }) => kind === 'runs' || kind === 'loads'));
	return reads ? `${base} may run what another part of the line writes` : undefined;
}

const INPUT_FILE = /^\/+(?:dev\/+(?:stdin|fd\b)|proc\/+[\w-]+\/+fd\b)/;

/** A shell that is given its line or its file; other options may take the word that seems to be the file. */
function namesProgram(values: readonly string[]): boolean {
	const [first = '-'] = values.filter((value) => !/^[-+][exuvnl]+$/.test(value));
	return /^-\w*c$/.test(first) || /^[^-+]/.test(first);
}
