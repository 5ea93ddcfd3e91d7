// The git commands that only read, and what makes them write or run something.
import { findFlag, names, readArguments } from './flags.ts';
import { fixedValue, type GuardWord } from './guard-word.ts';

/** Why it is not plain reading; undefined where it is. */
export function whyNotReading(args: readonly GuardWord[]): string | undefined {
	const rest = afterGlobals(args);
	if (typeof rest === 'string') return rest;
	const [name, ...words] = rest.map(fixedValue);
	if (name === undefined) return 'which git command it is cannot be told';
	if (words.includes(undefined)) return 'an argument of git is put together when it runs';
	const read = readArguments(rest.slice(1), TAKES);
	const bad = findFlag(read, REFUSED);
	if (bad) return `git ${name} ${bad.name} writes or runs something`;
	if (ALWAYS.has(name)) return undefined;
	const listing = LISTING.get(name);
	if (listing === undefined) return `git ${name} is not a command that only reads`;
	// A word behind options or `--` is no longer the name of what to do.
	const operands = read.operands.map(fixedValue);
	if (NAMED.has(name) && operands.length > 0 && words[0] !== operands[0])
		return `git ${name} must be followed by what it is to do`;
	return listing(operands, new Set(read.flags.map((flag) => flag.name)))
		? undefined
		: `this form of git ${name} changes something`;
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

const TAKES = names('-n --max-count --format --pretty --since --until --author --grep -S -G -L -U -e -A -B -C --sort --contains');

/** Some git commands take any of these, shortened too. `-O` opens a pager for grep. */
const REFUSED = names(
	'--output -O --open-files-in-pager --ext-diff --textconv --filters --exec --upload-pack --receive-pack --web --tool --gui --paginate --use-mailmap-file',
);

const ALWAYS = names(
	[
		'status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file grep merge-base name-rev',
		'for-each-ref show-ref diff-tree diff-index diff-files count-objects check-ignore check-attr whatchanged cherry range-diff version',
		'show-branch get-tar-commit-id',
	].join(' '),
);

const NAMED = names('stash worktree notes submodule bisect reflog');

type Listing = (operands: readonly (string | undefined)[], flags: ReadonlySet<string>) => boolean;

const BRANCH_READS = names(
	'-a --all -r --remotes -v -vv --verbose --list -l --show-current --merged --no-merged --contains --no-contains --sort --format --column --no-column --color --no-color -i --ignore-case --points-at --abbrev',
);
const TAG_READS = names(
	'-l --list -n --contains --no-contains --merged --no-merged --points-at --sort --format --column --color -i --ignore-case',
);

/** Commands that read in some forms only. */
const LISTING: ReadonlyMap<string, Listing> = new Map<string, Listing>([
	['branch', (operands, flags) => (operands.length === 0 || isList(flags)) && isWithin(flags, BRANCH_READS)],
	['tag', (operands, flags) => (operands.length === 0 || isList(flags)) && isWithin(flags, TAG_READS)],
	['remote', ([first], flags) => (first === undefined || first === 'get-url') && isWithin(flags, names('-v --verbose --all'))],
	['stash', ([first]) => first === 'list' || first === 'show'],
	['worktree', ([first]) => first === 'list'],
	['reflog', ([first]) => first === undefined || first === 'show' || first === 'exists' || /^(?:HEAD|@)/.test(first)],
	['symbolic-ref', (operands, flags) => operands.length === 1 && isWithin(flags, names('-q --quiet --short'))],
	['config', ([first, ...more], flags) => readsConfig(first, more.length, flags)],
	['notes', ([first]) => first === 'list' || first === 'show'],
	['submodule', ([first]) => first === 'status' || first === 'summary'],
	['bisect', ([first]) => first === 'log'],
]);

function isWithin(flags: ReadonlySet<string>, allowed: ReadonlySet<string>): boolean {
	return [...flags].every((flag) => allowed.has(flag));
}

function isList(flags: ReadonlySet<string>): boolean {
	return ['--list', '-l', '--contains', '--merged', '--no-merged', '--points-at', '--no-contains'].some((flag) =>
		flags.has(flag),
	);
}

const CONFIG_READS = names(
	'--get --get-all --get-regexp --get-urlmatch --list -l --global --local --system --worktree --name-only --show-origin --show-scope -z --null --type --bool --int --path --includes --no-includes --default',
);

function readsConfig(first: string | undefined, more: number, flags: ReadonlySet<string>): boolean {
	if (!isWithin(flags, CONFIG_READS)) return false;
	if (first === 'get' || first === 'list') return true;
	return [...flags].some((flag) => /^(?:--get|--list|-l$)/.test(flag)) || (more === 0 && first !== 'edit' && first !== undefined);
}
