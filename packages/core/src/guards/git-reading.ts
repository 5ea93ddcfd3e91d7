// The git commands that only read, and the options with which they write or run something.

import { GIT_RUNS, GIT_WRITES } from '../commands/git-acting.ts';
import { findOption, type GitOption, possibleOptions, readStrictly } from '../commands/git-options.ts';
import { toOptionTable } from '../commands/git-tables.ts';
import { names } from '../shell/flags.ts';
import { fixedValue, fixedWord, type GuardWord } from '../shell/guard-word.ts';

/** Why it is not plain reading; undefined where it is. */
export function whyNotReading(args: readonly GuardWord[]): string | undefined {
	const rest = afterGlobals(args);
	if (typeof rest === 'string') return rest;
	const [name, ...words] = rest.map(fixedValue);
	if (name === undefined) return 'the git command is unclear';
	const values = words.filter((word) => word !== undefined);
	if (values.length < words.length) return 'an argument of git is put together when it runs';
	const options = possibleOptions(name, rest.slice(1));
	const bad = findOption(options, name === 'grep' ? [...REFUSED, '-O'] : REFUSED);
	if (bad) return `git ${name} ${bad.name} writes or runs something`;
	if (ALWAYS.has(name)) return undefined;
	const isRead = SOMETIMES.get(name);
	if (isRead === undefined) return `git ${name} is not a command that only reads`;
	return isRead(values, options) ? undefined : `this form of git ${name} may change something`;
}

/** Without the options before the command; a reason where one of them is not harmless. */
function afterGlobals(args: readonly GuardWord[]): readonly GuardWord[] | string {
	for (const [at, word] of args.entries()) {
		const value = fixedValue(word);
		if (value === undefined) return 'an argument of git is put together when it runs';
		if (value === '-C') return 'git -C may run what another repository configured: run git where you are';
		if (!value.startsWith('-')) return args.slice(at);
		if (!HARMLESS_GLOBALS.has(value)) return `git ${value} may make it write or run something`;
	}
	return 'it names no git command';
}

const HARMLESS_GLOBALS = names('--no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --icase-pathspecs --version');

/** Some git commands take any of these, shortened too. `--help` runs a viewer. */
const REFUSED = new Set([
	...GIT_RUNS,
	...GIT_WRITES,
	...names('--ext-diff --textconv --filters --exec --web --tool --gui --paginate --help'),
]);

const ALWAYS =
	names(`status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep merge-base name-rev
	for-each-ref show-ref diff-tree diff-index diff-files count-objects check-ignore check-attr whatchanged cherry range-diff version
	show-branch get-tar-commit-id`);

const LISTS = '--list -l --contains --no-contains --merged --no-merged --points-at';

/** `options`: every word that may be one, so that no other word is taken for a value. */
type IsRead = (words: readonly string[], options: readonly GitOption[]) => boolean;

/** Commands that read in some forms only. */
const SOMETIMES: ReadonlyMap<string, IsRead> = new Map<string, IsRead>([
	['branch', isListing(`${LISTS} -a --all -r --remotes -v --verbose --show-current --abbrev --no-abbrev`)],
	['tag', isListing(`${LISTS} -n`)],
	['remote', within('-v --verbose --all --push', '', ([first]) => first === undefined || first === 'get-url')],
	['stash', ([first]) => first === 'list' || first === 'show'],
	['worktree', ([first]) => first === 'list'],
	['reflog', ([first, ...more]) => first === 'show' || first === 'exists' || [first ?? 'HEAD', ...more].every(isReflog)],
	['symbolic-ref', within('-q --quiet --short', '', (operands) => operands.length === 1)],
	[
		'config',
		within(
			'--get --get-all --get-regexp --get-urlmatch --list -l --global --local --system --worktree --name-only --show-origin --show-scope -z --null --bool --int --path --includes --no-includes',
			'--type --default',
			readsConfig,
			true,
		),
	],
	['notes', ([first]) => first === 'list' || first === 'show'],
	['submodule', ([first]) => first === 'status' || first === 'summary'],
	['bisect', ([first]) => first === 'log'],
]);

type Asks = (operands: readonly string[], flags: ReadonlySet<string>) => boolean;

/** With no other options than these, and operands that ask for something. `stop`: words behind the first operand are values, also with a dash. */
function within(plain: string, takes: string, asks: Asks, stop = false): IsRead {
	// The lines of a tag are given in the same word.
	const table = toOptionTable({ plain, takes, joined: '-n' });
	return (words, options) => {
		const read = readStrictly(
			words.map((word) => fixedWord(word)),
			table,
			stop,
		);
		if ('stranger' in read || !options.every(({ name }) => table.plain.has(name) || table.takes.has(name))) return false;
		const operands = [...read.operands, ...(read.behind ?? [])].map((word) => fixedValue(word) ?? '');
		return asks(operands, new Set(read.options.map(({ name }) => name)));
	};
}

/** A name would be created, unless a list is requested. */
function isListing(plain: string): IsRead {
	return within(
		`${plain} --column --no-column --color --no-color -i --ignore-case`,
		'--sort --format',
		(operands, flags) => operands.length === 0 || LISTS.split(' ').some((name) => flags.has(name)),
	);
}

/** An option or a ref: every other action of reflog is a subcommand. */
function isReflog(word: string): boolean {
	return /^(?:-|HEAD|@|\d+$)/.test(word);
}

function readsConfig([first, ...more]: readonly string[], flags: ReadonlySet<string>): boolean {
	if (first === 'get' || first === 'list') return true;
	const asks = [...flags].some((flag) => /^(?:--get|--list|-l$)/.test(flag));
	return asks || (first !== undefined && first !== 'edit' && more.length === 0);
}
