// Git commands that write where their operands say: which files and folders that are.
import { findOption, readKnown, type StrictReading } from '../commands/git-options.ts';
import { fixedValue, type GuardWord } from '../shell/guard-word.ts';

type Found = { why: string } | { paths: readonly GuardWord[] };
type Judge = (words: readonly GuardWord[]) => Found;

export const FILE_JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
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

/** What comes behind the file are revisions and their options. */
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
		: { why: `git submodule ${name} hides what it runs, or changes the repository of everybody` };
}
