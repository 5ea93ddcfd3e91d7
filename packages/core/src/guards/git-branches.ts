// Git commands that move branches or discard work: an agent keeps to branches with its name, and does not lose its work at once.
import { findOption, type GitOption, optionValues, possibleOptions, readKnown } from '../commands/git-options.ts';
import { fixedValue, fixedWord, type GuardWord } from '../shell/guard-word.ts';
import { whyNotReading } from './git-reading.ts';

/** Undefined where the branch is the agent's own, else how its own are named. */
export type OwnBranch = (name: string | undefined) => string | undefined;

type Refusal = (words: readonly GuardWord[], own: OwnBranch) => string | undefined;

export const BRANCH_JUDGES: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
	['push', () => 'git push is not yours to do: your branch is taken from your worktree'],
	['reset', whyNotReset],
	['clean', (words) => (showsOnly(words.map(fixedValue)) ? undefined : 'git clean removes files for good: remove them by name')],
	['checkout', whyNotCheckout],
	['switch', whyNotSwitch],
	['restore', whyNotRestore],
	['branch', whyNotBranch],
	['stash', whyNotStash],
	['rebase', whyNotRebase],
	['fetch', (words, own) => whyNotFetch('fetch', words, own)],
	['pull', (words, own) => whyNotFetch('pull', words, own)],
	['bisect', whyNotBisect],
	[
		'lfs',
		([first]) =>
			['status', 'ls-files', 'pull', 'fetch', 'env'].includes(fixedValue(first) ?? '')
				? undefined
				: 'only git lfs pull, fetch, status and ls-files are yours to do',
	],
]);

function whyNotReset(words: readonly GuardWord[]): string | undefined {
	const bad = findOption(possibleOptions('reset', words), ['--hard', '--merge']);
	return bad && `git reset ${bad.name} discards work: use git restore <path> or git stash`;
}

function showsOnly(words: readonly (string | undefined)[]): boolean {
	const shows = words.some((word) => /^(?:-[dxXq]*n[dnxXq]*|--dry-run)$/.test(word ?? ''));
	return shows && words.every((word) => word !== undefined && /^(?:[^-].*|-[ndxXq]+|--dry-run|--)$/.test(word));
}

function whyNotCheckout(words: readonly GuardWord[], own: OwnBranch): string | undefined {
	const leaves = whyNotLeave('checkout', words);
	if (leaves !== undefined) return leaves;
	const read = readKnown('checkout', words);
	if ('why' in read) return read.why;
	const { options, operands, behind } = read;
	const made = whyNotMade(options, ['-b', '-B', '--orphan'], own);
	if (made !== undefined) return made.why;
	if (behind !== undefined && behind.length > 0) return whyNotAll(behind);
	if (findOption(options, ['--ours', '-2', '--theirs', '-3', '-p', '--patch'])) return whyNotAll(operands);
	const [first, ...more] = operands;
	if (first === undefined) return undefined;
	if (/^\.(?:\/|$)/.test(fixedValue(first) ?? '')) return whyNotAll(operands);
	const why = own(fixedValue(first));
	if (why === undefined && more.length === 0) return undefined;
	return `${why ?? 'it is not clear what that is'}; for files write git checkout -- <path> or git restore <path>`;
}

function whyNotSwitch(words: readonly GuardWord[], own: OwnBranch): string | undefined {
	const leaves = whyNotLeave('switch', words);
	if (leaves !== undefined) return leaves;
	const read = readKnown('switch', words);
	if ('why' in read) return read.why;
	const made = whyNotMade(read.options, ['-c', '-C', '--create', '--force-create', '--orphan'], own);
	return made === undefined ? own(fixedValue(read.operands[0])) : made.why;
}

function whyNotLeave(name: string, words: readonly GuardWord[]): string | undefined {
	const options = possibleOptions(name, words);
	if (findOption(options, ['--detach', '-d'])) return 'stay on your branch';
	const forced = findOption(options, ['-f', '--force', '--discard-changes']);
	return forced && `git ${name} ${forced.name} discards work: use git restore <path> or git stash`;
}

/** Undefined where no branch is made. With `--track` and no name, it gets the name of the branch it tracks. */
function whyNotMade(
	options: readonly GitOption[],
	making: readonly string[],
	own: OwnBranch,
): { why: string | undefined } | undefined {
	if (findOption(options, making))
		return {
			why: optionValues(options, making)
				.map((word) => own(fixedValue(word)))
				.find((why) => why !== undefined),
		};
	return findOption(options, ['-t', '--track']) && { why: 'name the new branch: git switch -c <branch> <what it tracks>' };
}

function whyNotRestore(words: readonly GuardWord[]): string | undefined {
	const read = readKnown('restore', words);
	if ('why' in read) return read.why;
	const keepsFiles = findOption(read.options, ['-S', '--staged']) && !findOption(read.options, ['-W', '--worktree']);
	return keepsFiles ? undefined : whyNotAll([...read.operands, ...(read.behind ?? [])]);
}

/** The same as a hard reset. A path that begins with a colon may match anything. */
function whyNotAll(paths: readonly GuardWord[]): string | undefined {
	const all = paths.find((word) => word.forms.some(({ value, sure }) => sure !== 'open' && !/^(?!:).*[^./*?]/.test(value)));
	return all && `${all.text} discards all your work at once: name the files or folders, or use git stash`;
}

function whyNotBranch(words: readonly GuardWord[], own: OwnBranch): string | undefined {
	if (whyNotReading([fixedWord('branch'), ...words]) === undefined) return undefined;
	const read = readKnown('branch', words);
	if ('why' in read) return read.why;
	const names = [...read.operands, ...(read.behind ?? [])];
	// Of a new branch only the first name is made; of a rename or a removal, all of them are touched.
	const touchesAll = findOption(read.options, ['-d', '-D', '--delete', '-m', '-M', '--move', '-c', '-C', '--copy']);
	return (touchesAll ? names : names.slice(0, 1)).map((word) => own(fixedValue(word))).find((why) => why !== undefined);
}

function whyNotStash([first, second]: readonly GuardWord[], own: OwnBranch): string | undefined {
	const name = fixedValue(first) ?? '';
	if (first === undefined || name.startsWith('-')) return undefined;
	if (name === 'branch') return own(fixedValue(second));
	return ['push', 'save', 'pop', 'apply', 'list', 'show', 'create', 'store'].includes(name)
		? undefined
		: 'the stash belongs to all worktrees';
}

/** Of two names, the second is switched to; from the root on there is only that one. */
function whyNotRebase(words: readonly GuardWord[], own: OwnBranch): string | undefined {
	const read = readKnown('rebase', words);
	if ('why' in read) return read.why;
	const [first, second] = [...read.operands, ...(read.behind ?? [])];
	const branch = findOption(read.options, ['--root']) ? first : second;
	return branch && own(fixedValue(branch));
}

/** A refspec with a colon writes a branch here. */
function whyNotFetch(name: string, words: readonly GuardWord[], own: OwnBranch): string | undefined {
	const read = readKnown(name, words);
	if ('why' in read) return read.why;
	const all = [...read.operands, ...(read.behind ?? [])];
	// Pull passes the words behind `--` to fetch without the `--`.
	const unclear = all.find((word) => fixedValue(word)?.startsWith('-') ?? true);
	if (unclear !== undefined) return `what git fetches with ${unclear.text} is unclear: write it out`;
	return all
		.slice(1)
		.flatMap((word) => /:(?:refs\/heads\/)?([^:]*)$/.exec(fixedValue(word) ?? '')?.slice(1) ?? [])
		.map(own)
		.find((why) => why !== undefined);
}

function whyNotBisect([first, second]: readonly GuardWord[], own: OwnBranch): string | undefined {
	const name = fixedValue(first) ?? '';
	if (name === 'reset') return second && own(fixedValue(second));
	return ['start', 'good', 'bad', 'new', 'old', 'skip', 'next', 'log', 'terms', 'help'].includes(name)
		? undefined
		: `git bisect ${name} hides what it runs: run the steps yourself`;
}
