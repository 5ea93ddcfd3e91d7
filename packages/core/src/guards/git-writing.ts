// Git for an agent that writes in its worktree: everything inside it, nothing that affects others.

import { GIT_HARMLESS, GIT_RUNS, HARMLESS_SETTING } from '../commands/git-acting.ts';
import {
	findOption,
	type GitOption,
	optionValues,
	possibleOptions,
	readKnown,
	type StrictReading,
	unsureWord,
} from '../commands/git-options.ts';
import { OPTION_TABLES } from '../commands/git-tables.ts';
import { names, namesBy } from '../shell/flags.ts';
import { fixedValue, fixedWord, type GuardWord } from '../shell/guard-word.ts';
import { below } from './dirs.ts';
import { BRANCH_JUDGES, type OwnBranch } from './git-branches.ts';
import { whyNotReading } from './git-reading.ts';

/** Words that name files or folders which must lie in the worktree, or why it may not run. */
export type GitFinding = { why: string } | { paths: readonly GuardWord[]; lines: readonly GuardWord[] };

export function judgeGit(args: readonly GuardWord[], agentName: string): GitFinding {
	const globals = readGlobals(args);
	if ('why' in globals) return globals;
	const { folder } = globals;
	const [word, ...words] = globals.rest;
	if (word === undefined) return { paths: folder === undefined ? [] : [folder], lines: [] };
	const name = fixedValue(word);
	if (name === undefined) return { why: 'the git command is unclear' };
	const options = possibleOptions(name, words);
	const why = whyNotOptions(name, words, options);
	if (why !== undefined) return { why };
	const found = judgeCommand(name, words, ownBranches(agentName));
	if ('why' in found) return found;
	const written = optionValues(options, INTO.get(name) ?? OUTPUT);
	// Some commands first remove the options they know and pass on the rest: then the value is not the next word.
	if (written.some((path) => /^-./.test(fixedValue(path) ?? ''))) return { why: 'write --output=<file>, in one word' };
	const paths = [...found.paths, ...written];
	return {
		paths: folder === undefined ? paths : [folder, ...paths.map((path) => seenFrom(folder, path))],
		lines: name === 'rebase' ? optionValues(options, RUNS) : [],
	};
}

function ownBranches(agentName: string): OwnBranch {
	const prefix = `roost/${agentName}/`;
	return (branch) => (isBelow(branch, prefix) ? undefined : `your branches are named ${prefix}<what>`);
}

function isBelow(branch: string | undefined, prefix: string): boolean {
	return branch?.startsWith(prefix) === true && /^[\w./-]+$/.test(branch.slice(prefix.length)) && !branch.includes('..');
}

type Globals = { why: string } | { rest: readonly GuardWord[]; folder: GuardWord | undefined };

function readGlobals(args: readonly GuardWord[]): Globals {
	let folder: GuardWord | undefined;
	for (let at = 0; at < args.length; at++) {
		const value = fixedValue(args[at]);
		if (value === undefined) return { why: 'the git command is unclear' };
		const next = args[at + 1];
		if (value === '-C' && next !== undefined) {
			// The second is relative to the first, and a link there may lead anywhere.
			if (folder !== undefined) return { why: 'git -C may be given once' };
			folder = next;
			at++;
		} else if (value === '-c') {
			const setting = fixedValue(next) ?? '';
			if (!HARMLESS_SETTING.test(setting)) return { why: `git -c ${setting.split('=')[0] ?? ''} may change what git runs` };
			at++;
		} else if (!value.startsWith('-')) return { rest: args.slice(at), folder };
		else if (!HARMLESS_GLOBALS.has(value))
			return { why: `git ${value.split('=')[0] ?? ''} may make it work elsewhere or run something` };
	}
	return { rest: [], folder };
}

function seenFrom(folder: GuardWord, path: GuardWord): GuardWord {
	return { text: path.text, forms: folder.forms.flatMap((dir) => path.forms.map((form) => below(dir, form))) };
}

const HARMLESS_GLOBALS = names(
	'--no-pager -P -p --paginate --no-optional-locks --literal-pathspecs --version --help -h -v --no-advice',
);
/** For any command: where one of these is not an option, it is not a common word either. */
const REFUSED = new Set([
	...GIT_RUNS,
	...names('--unsafe-paths --build-fake-ancestor --template --separate-git-dir --remote --suffix'),
]);
const RUNS = names('-x --exec');

/** Options that name a file or folder to write. */
const OUTPUT = names('--output --output-directory');
const INTO = namesBy({ archive: '-o --output', 'format-patch': '-o --output --output-directory' });

function whyNotOptions(name: string, words: readonly GuardWord[], options: readonly GitOption[]): string | undefined {
	const refused = name === 'grep' ? [...REFUSED, '-O'] : REFUSED;
	const bad = findOption(options, name === 'rebase' ? refused : [...refused, '--exec']);
	if (bad !== undefined) return `git ${name} ${bad.name} may run something or lead elsewhere`;
	const helper = TRANSFERS.has(name) ? /^[\w+.-]+::/ : /^(?:ext|fd)::/;
	if (words.some((word) => word.forms.some(({ value }) => helper.test(value)))) return 'that address makes git run a command';
	const unsure = GIT_HARMLESS.has(name) || OPTION_TABLES.has(name) ? undefined : unsureWord(name, words);
	return unsure && `${unsure.text} may turn out to be an option of git ${name}: write it out, quote it, or put paths behind --`;
}

const TRANSFERS = names('clone fetch ls-remote pull submodule');

function judgeCommand(name: string, words: readonly GuardWord[], own: OwnBranch): Found {
	if (GIT_HARMLESS.has(name) || FINE.has(name)) return { paths: [] };
	const files = FILE_JUDGES.get(name);
	if (files !== undefined) return files(words);
	const refusal = BRANCH_JUDGES.get(name);
	const why = refusal === undefined ? whyNotReading([fixedWord(name), ...words]) : refusal(words, own);
	return why === undefined ? { paths: [] } : { why };
}

/** They work in the worktree or only read, but some of their options write a file or run something. */
const FINE =
	names(`annotate archive blame cherry-pick diff diff-files diff-index diff-tree format-patch grep log ls-remote range-diff rev-list revert
	shortlog show whatchanged`);

/** The files and folders that a command writes, as its operands name them. */
type Found = { why: string } | { paths: readonly GuardWord[] };
type Judge = (words: readonly GuardWord[]) => Found;

const FILE_JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
	['am', understood('am', () => [])],
	['apply', understood('apply', () => [])],
	['bundle', judgeBundle],
	['clone', understood('clone', (all) => all.slice(1))],
	['gc', understood('gc', () => [])],
	['init', understood('init', (all) => all)],
	// Both follow a link in the middle of a path.
	['mv', understood('mv', (all) => all)],
	['rm', understood('rm', (all, { options }) => (findOption(options, ['--cached']) ? [] : all))],
	['submodule', judgeSubmodule],
]);

type Written = (operands: readonly GuardWord[], read: StrictReading) => readonly GuardWord[];

function understood(name: string, written: Written): Judge {
	return (words) => {
		const read = readKnown(name, words);
		return 'why' in read ? read : { paths: written([...read.operands, ...(read.behind ?? [])], read) };
	};
}

const BEFORE_BUNDLE = /^(?:-q|--quiet|--progress|--all-progress|--all-progress-implied|--version=\d+)$/;

/** The words after the file are revisions and their options. */
function judgeBundle([sub, ...words]: readonly GuardWord[]): Found {
	if (!['create', 'verify', 'list-heads', 'unbundle'].includes(fixedValue(sub) ?? ''))
		return { why: 'git bundle must be followed by what it is to do' };
	const file = words.findIndex((word) => !BEFORE_BUNDLE.test(fixedValue(word) ?? ''));
	const written = words[file];
	if (fixedValue(written)?.startsWith('-')) return { why: `${written?.text ?? ''} of git bundle is not understood` };
	return { paths: written !== undefined && fixedValue(sub) === 'create' ? [written] : [] };
}

function judgeSubmodule(words: readonly GuardWord[]): Found {
	const [sub, ...rest] = words.filter((word, at) => at > 0 || !['-q', '--quiet'].includes(fixedValue(word) ?? ''));
	if (sub === undefined) return { paths: [] };
	const name = fixedValue(sub) ?? sub.text;
	if (name === 'add') return understood('submodule add', (all) => all.slice(1))(rest);
	return ['status', 'summary', 'init', 'update', 'sync'].includes(name)
		? { paths: [] }
		: { why: `git submodule ${name} hides what it runs, or changes the shared repository` };
}
