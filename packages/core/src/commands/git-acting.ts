// Options and commands with which git runs a program or writes a file besides its ordinary work, for rules and guards alike.
import { names, namesBy } from '../shell/flags.ts';
import { GIT_VALUED_GLOBALS } from '../shell/git-words.ts';
import { fixedValue, type GuardWord } from '../shell/guard-word.ts';
import type { ActingWord, ActingWords } from './acting-words.ts';
import { findOptions, possibleOptions, unsureWord } from './git-options.ts';

/** They run a program, whichever git command takes them. */
export const GIT_RUNS = names('--open-files-in-pager --upload-pack --receive-pack');

const RUNS = new Set([
	...GIT_RUNS,
	...names(`--exec --ext-diff --filters --web --extcmd --tool --template --separate-git-dir --unsafe-paths
	--sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server`),
]);
export const GIT_WRITES = names('--output');
const WRITES = new Set([...GIT_WRITES, ...names('--export-marks --in-place')]);

/** Letters that mean something else in other commands. */
const LETTERS = namesBy({
	grep: '-O',
	rebase: '-x',
	clone: '-u -c --config',
	difftool: '-x -t',
	mergetool: '-t',
	config: '-f --file --edit -e',
});

/** They run their arguments, or change what git runs later; `a b` for a pair. */
const WORDS = names('filter-branch for-each-repo remote-ext remote-fd shell daemon instaweb credential-store credential-cache');
const PAIRS = new Set(['bisect run', 'submodule foreach', 'hook run', 'maintenance start', 'maintenance register']);

/** They work in the worktree, on its index and its branch, or only read; none of their options does more. */
export const GIT_HARMLESS =
	names(`add cat-file check-attr check-ignore cherry commit count-objects describe for-each-ref fsck hash-object help ls-files ls-tree merge
	merge-base name-rev rerere rev-parse show-branch show-ref status stripspace var verify-commit version write-tree`);

/** The same for rules, which do not ask where they write. */
const NO_ACTIONS = names('checkout switch restore reset rm mv tag branch remote clean worktree notes symbolic-ref update-index');

/** Settings that change how git works or prints, and run nothing. */
export const HARMLESS_SETTING =
	/^(?:user\.(?:name|email)|color\.\w+|advice\.\w+|commit\.gpgsign|tag\.gpgsign|core\.(?:quotepath|autocrlf|safecrlf)|diff\.(?:algorithm|renames)|merge\.conflictstyle|pull\.rebase|rebase\.(?:autosquash|autostash|stat)|rerere\.\w+|log\.\w+|init\.defaultbranch|gc\.auto)(?:=[^!]*)?$|^core\.(?:pager|editor)=(?:cat|true|:|)$/i;

export function gitActing(args: readonly GuardWord[]): ActingWords {
	const { at, acting, unsure } = readGlobals(args);
	const [word, ...words] = args.slice(at);
	const name = fixedValue(word);
	if (unsure !== undefined || word === undefined) return { acting, unsure };
	if (name === undefined) return { acting, unsure: word };
	if (GIT_HARMLESS.has(name)) return { acting, unsure: undefined };
	const second = words.map(fixedValue).find((value) => value !== undefined && !value.startsWith('-')) ?? '';
	if (WORDS.has(name)) acting.push(runs(name));
	else if (PAIRS.has(`${name} ${second}`)) acting.push(runs(second));
	if (name === 'config' && setsUnknown(words.map((each) => fixedValue(each) ?? '?'))) acting.push(runs(name));
	const options = possibleOptions(name, words);
	const letters = LETTERS.get(name) ?? [];
	acting.push(...findOptions(options, [...RUNS, ...letters]).map(runs));
	const written = findOptions(options, name === 'archive' ? [...WRITES, '-o'] : WRITES);
	acting.push(...written.map((option): ActingWord => ({ name: option, kind: 'writes' })));
	return { acting, unsure: NO_ACTIONS.has(name) ? undefined : unsureWord(name, words) };
}

/** The word that names its command; undefined where there is none. */
export function gitCommandWord(args: readonly GuardWord[]): GuardWord | undefined {
	return args[readGlobals(args).at];
}

function runs(name: string): ActingWord {
	return { name, kind: 'runs' };
}

function readGlobals(args: readonly GuardWord[]): { at: number; acting: ActingWord[]; unsure: GuardWord | undefined } {
	const acting: ActingWord[] = [];
	let at = 0;
	for (; at < args.length; at++) {
		const value = fixedValue(args[at]);
		if (value === undefined) return { at, acting, unsure: args[at] };
		if (!value.startsWith('-')) break;
		const name = value.split('=', 1)[0] ?? value;
		const isSetting = name === '-c' && HARMLESS_SETTING.test(fixedValue(args[at + 1]) ?? '');
		if ((ACTING_GLOBALS.has(name) && !isSetting) || (name === '--exec-path' && value !== name)) acting.push(runs(name));
		if (GIT_VALUED_GLOBALS.has(value)) at++;
	}
	return { at, acting, unsure: undefined };
}

const ACTING_GLOBALS = names('-c --config-env --git-dir');

/** Many settings name a program, so only a few may be set without asking. */
function setsUnknown(words: readonly string[]): boolean {
	const operands = words.filter((word) => !word.startsWith('-'));
	const [first = ''] = operands;
	if (words.some((word) => /^(?:--get|--list$|-l$|--unset)/.test(word)) || /^(?:get|list|unset)$/.test(first)) return false;
	const [key = '', value] = first === 'set' ? operands.slice(1) : operands;
	return value === undefined ? first === 'edit' : !HARMLESS_SETTING.test(`${key}=${value}`);
}
