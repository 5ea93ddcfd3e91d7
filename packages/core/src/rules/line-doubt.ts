// Why it is unclear what a line runs: with a deny or an ask in force, such a line is not simply allowed.
import { READS_COMMANDS } from '../commands/acting-table.ts';
import { actingWords, hidesSubcommand } from '../commands/acting-words.ts';
import { gitCommandWord } from '../commands/git-acting.ts';
import { inlineCode } from '../commands/inline-code.ts';
import { whyNotSetting } from '../guards/settings.ts';
import { type Part, walkLine } from '../guards/walk-line.ts';
import { createBudget, MAX_STEPS } from '../shell/budget.ts';
import { gitCommandAt } from '../shell/git-words.ts';
import { fixedValue, type GuardWord } from '../shell/guard-word.ts';
import type { SimpleCommand } from '../shell/simple-commands.ts';
import { baseName, SHELLS } from '../shell/wrappers.ts';

export type Doubt = {
	/** The commands of the line, as far as it was followed, with variables and braces expanded. */
	texts: readonly string[];
	/** Undefined where every command is known, and none of them is known to run others unseen. */
	why: string | undefined;
};

export function doubtOf(line: string): Doubt {
	const { hidden, parts } = walkLine(line, new Map(), createBudget(MOST_STEPS), true);
	// Every word of it that is not a variable in use: among them the variables that it sets.
	const written = new Set(line.match(/(?<![\w$]|\$\{)\w+/g));
	const whys = hidden === undefined ? parts.map((part) => whyNotSetting(part) ?? whyNotPart(part, written)) : [hidden];
	return { texts: parts.flatMap(textsOf), why: whys.find((why) => why !== undefined) };
}

/** A third of a guard's budget: a line that costs more needs approval. */
const MOST_STEPS = MAX_STEPS / 3;

/** One for each possible value of its words. */
function textsOf({ name = '', args }: Part): string[] {
	const most = Math.max(1, ...args.map(({ forms }) => forms.length));
	return Array.from({ length: most }, (_, at) => {
		const words = args.map(({ forms }) => forms[at % forms.length]?.value ?? '');
		const start = baseName(name) === 'git' ? gitCommandAt(words, 0) : 0;
		return [baseName(name), ...words.slice(start)].join(' ');
	});
}

function whyNotPart({ name = '', args }: Part, written: ReadonlySet<string>): string | undefined {
	const base = baseName(name);
	if (READS_COMMANDS.has(base)) return `${base} runs commands that the line does not show`;
	if (SCRIPTED.has(base) && !args.every((word) => isPlainFile(word))) return `${base} runs a script that the line does not name`;
	if (inlineCode(base, args) !== undefined) return `${base} runs code from the line or from its input`;
	if (base === 'git') {
		const command = gitCommandWord(args);
		if (command !== undefined && (fixedValue(command) === undefined || UNSEEN_GIT.test(fixedValue(command) ?? '')))
			return `git ${command.text} may stand for another command`;
	}
	if (base.startsWith('git-')) return `${base} may stand for another command`;
	const { acting, unsure } = actingWords(name, args);
	const runs = acting.find(({ kind }) => kind === 'runs');
	if (runs !== undefined) return `${base} ${runs.name} may run something`;
	if (hidesSubcommand(base, args)) return `the subcommand of ${base} is not written out`;
	return unsure !== undefined && comesFrom(written, unsure) ? `${unsure.text} may be an option of ${base}` : undefined;
}

/** They run the file they are given, which is a script like any other. */
const SCRIPTED = new Set(['source', '.', ...SHELLS]);

/** A file, and not the output of another command. */
function isPlainFile(word: GuardWord): boolean {
	const value = fixedValue(word);
	return value === undefined ? !/^[<>]\(|^\$\(|^`/.test(word.text) : !/^\/(?:dev|proc)\//.test(value);
}

/** Commands that other git commands are made of. */
const UNSEEN_GIT = /^(?:send-pack|http-push|remote-\w+|receive-pack|upload-pack|subtree|svn|p4|lfs)$/;

/** Whether the line itself decides the value of the word; variables set outside and file names do not count. */
function comesFrom(written: ReadonlySet<string>, { text, forms }: GuardWord): boolean {
	if (forms.every(({ sure }) => sure === 'glob')) return false;
	if (/`|\$\(|\$\{\w+[^\w}]/.test(text)) return true;
	const used = text.match(/(?<=\$\{?)(?:\w+|[@*])/g) ?? [];
	return used.some((name) => written.has(/^[\d@*]/.test(name) ? 'set' : name));
}

/** Why a rule that names a shell does not cover the commands in its input. */
export function whyFed(commands: readonly SimpleCommand[]): string | undefined {
	const fed = commands.find(({ words: [name = '', ...args], input }) => {
		return SHELLS.has(baseName(name)) && input === undefined && args.every((word) => /^-(?!\w*c|-(?:version|help)$)/.test(word));
	});
	return fed && `${fed.text} reads commands from its input`;
}
