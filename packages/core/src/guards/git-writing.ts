// What git may do for an agent that writes in its worktree: everything there, nothing that reaches the others or the outside.
import { type Arguments, findFlag, names, readArguments, valuesOf } from './flags.ts';
import { whyNotReading } from './git-reading.ts';
import { fixedValue, fixedWord, type GuardWord } from './guard-word.ts';

/** Words that name files or folders which must lie in the worktree, or why it may not run. */
export type GitFinding = { why: string } | { paths: readonly GuardWord[]; lines: readonly GuardWord[] };

type Git = {
	name: string;
	read: Arguments;
	operands: readonly (string | undefined)[];
	args: readonly GuardWord[];
	own: OwnBranch;
};
/** Undefined where the branch is the agent's own, else how its own are named. */
type OwnBranch = (name: string | undefined) => string | undefined;

export function judgeGit(args: readonly GuardWord[], agentName: string): GitFinding {
	const globals = readGlobals(args);
	if ('why' in globals) return globals;
	const [word, ...rest] = globals.rest;
	if (word === undefined) return { paths: globals.paths, lines: [] };
	const name = fixedValue(word);
	if (name === undefined) return { why: 'which git command it is cannot be told' };
	const read = readArguments(rest, TAKES);
	const prefix = `roost/${agentName}/`;
	const own: OwnBranch = (branch) => (isBelow(branch, prefix) ? undefined : `your branches are named ${prefix}<what>`);
	// Which options take a value differs; where a branch is meant, a wrong guess would hide it.
	const strict = BY_NAME.has(name) ? readArguments(rest, names()) : read;
	const why = whyNot({ name, read: strict, operands: strict.operands.map(fixedValue), args: rest, own });
	if (why !== undefined) return { why };
	return {
		paths: [...globals.paths, ...writtenPaths(name, read)],
		lines: name === 'rebase' ? valuesOf(read, names('-x --exec')) : [],
	};
}

function isBelow(branch: string | undefined, prefix: string): boolean {
	return branch?.startsWith(prefix) === true && /^[\w./-]+$/.test(branch.slice(prefix.length)) && !branch.includes('..');
}

type Globals = { why: string } | { rest: readonly GuardWord[]; paths: GuardWord[] };

function readGlobals(args: readonly GuardWord[]): Globals {
	const paths: GuardWord[] = [];
	for (let at = 0; at < args.length; at++) {
		const word = args[at];
		const value = fixedValue(word);
		if (word === undefined || value === undefined) return { why: 'which git command it is cannot be told' };
		const next = args[at + 1];
		if (value === '-C' && next !== undefined) {
			paths.push(next);
			at++;
		} else if (value === '-c') {
			const setting = fixedValue(next) ?? '';
			if (!HARMLESS_SETTING.test(setting)) return { why: `git -c ${setting.split('=')[0] ?? ''} may change what git runs` };
			at++;
		} else if (!value.startsWith('-')) return { rest: args.slice(at), paths };
		else if (!HARMLESS_GLOBALS.has(value))
			return { why: `git ${value.split('=')[0] ?? ''} may make it work elsewhere or run something` };
	}
	return { rest: [], paths };
}

const HARMLESS_GLOBALS = names(
	'--no-pager -P -p --paginate --no-optional-locks --literal-pathspecs --version --help -h -v --no-advice',
);
const HARMLESS_SETTING =
	/^(?:user\.(?:name|email)|color\.\w+|advice\.\w+|commit\.gpgsign|tag\.gpgsign|core\.(?:quotepath|autocrlf|safecrlf)|diff\.\w+algorithm|diff\.renames|merge\.conflictstyle|pull\.rebase|rebase\.\w+|rerere\.\w+|log\.\w+|init\.defaultbranch|gc\.auto)(?:=[^!]*)?$|^core\.(?:pager|editor)=(?:cat|true|:|)$/i;

const TAKES = names(
	[
		'-m --message -F --file -C --reuse-message -c --reedit-message --author --date -n --max-count --format --pretty --since --until --grep -S -G -L -U',
		'-o --output --output-directory -x --exec -X --strategy-option -s --strategy --onto --depth --branch --sort --contains --cleanup --fixup --squash',
	].join(' '),
);
const REFUSED = names(
	'--upload-pack --receive-pack --open-files-in-pager --unsafe-paths --template --separate-git-dir --exec-path --use-mailmap-file',
);

type Refusal = (git: Git) => string | undefined;

function whyNot(git: Git): string | undefined {
	const bad = findFlag(git.read, REFUSED);
	if (bad !== undefined) return `git ${git.name} ${bad.name} may run something or lead elsewhere`;
	if (git.name !== 'rebase' && findFlag(git.read, ['--exec', '--remote'])) return `git ${git.name} is told to run something`;
	if (git.args.some((word) => /^(?:ext|fd)::/.test(word.forms[0]?.value ?? ''))) return 'that address makes git run a command';
	if (FINE.has(git.name)) return git.name === 'grep' && findFlag(git.read, ['-O']) ? 'git grep -O runs a program' : undefined;
	const refusal = BY_NAME.get(git.name);
	if (refusal !== undefined) return git.read.unsure ? `${git.read.unsure.text} may be an option: write it out` : refusal(git);
	return whyNotReading([fixedWord(git.name), ...git.args]);
}

/** They work in the worktree, on its index and its branch, or only read. */
const FINE = names(
	[
		'add am annotate apply archive blame bundle cat-file check-attr check-ignore cherry cherry-pick commit count-objects describe diff diff-files',
		'diff-index diff-tree for-each-ref format-patch fsck grep hash-object log ls-files ls-remote ls-tree merge merge-base mv name-rev',
		'range-diff rerere restore rev-list rev-parse revert rm shortlog show show-branch show-ref status stripspace var verify-commit version',
		'whatchanged write-tree help init',
	].join(' '),
);

const BY_NAME: ReadonlyMap<string, Refusal> = new Map<string, Refusal>([
	['push', () => 'git push is not yours to do: your branch is taken from your worktree'],
	[
		'reset',
		({ read }) =>
			findFlag(read, ['--hard']) ? 'git reset --hard throws work away: use git restore <path> or git stash' : undefined,
	],
	[
		'clean',
		({ args }) => (showsOnly(args.map(fixedValue)) ? undefined : 'git clean removes files for good: remove them by name'),
	],
	['checkout', whyNotCheckout],
	['switch', whyNotSwitch],
	['branch', whyNotBranch],
	[
		'stash',
		({ operands: [first, second], own }) => {
			if (first === 'branch') return own(second);
			return first === 'clear' || first === 'drop' ? 'the stash belongs to all worktrees' : undefined;
		},
	],
	// Of two names, the second is switched to.
	[
		'rebase',
		({ operands: [, second], read, own }) =>
			second === undefined || findFlag(read, ['--onto', '-x', '--exec', '-s', '-X']) ? undefined : own(second),
	],
	['fetch', whyNotFetch],
	['pull', whyNotFetch],
	[
		'clone',
		({ read }) => (findFlag(read, ['-c', '--config', '-u', '--mirror']) ? 'git clone may run something in this form' : undefined),
	],
	['submodule', ({ operands: [first] }) => (first === 'foreach' ? 'git submodule foreach hides what it runs' : undefined)],
	[
		'bisect',
		({ operands: [first] }) => (first === 'run' ? 'git bisect run hides what it runs: run the steps yourself' : undefined),
	],
	[
		'lfs',
		({ operands: [first] }) =>
			['status', 'ls-files', 'pull', 'fetch', 'env'].includes(first ?? '')
				? undefined
				: 'only git lfs pull, fetch, status and ls-files are yours to do',
	],
	['gc', ({ read }) => (findFlag(read, ['--prune', '--aggressive']) ? 'it changes the repository of everybody' : undefined)],
]);

function whyNotCheckout({ args, read, operands, own }: Git): string | undefined {
	if (findFlag(read, ['--detach', '-d'])) return 'stay on your branch';
	const created = createdBranch(args, ['-b', '-B', '--orphan']);
	if (created !== undefined) return own(created.name);
	const files = args.findIndex((word) => fixedValue(word) === '--');
	if ((files >= 0 && files < args.length - 1) || findFlag(read, ['--ours', '--theirs', '-p', '--patch'])) return undefined;
	const [first, ...more] = operands;
	if (operands.length === 0 || first === '.' || first?.startsWith('./')) return undefined;
	const why = own(first);
	if (why === undefined && more.length === 0) return undefined;
	return `${why ?? 'it is not clear what that is'}; for files write git checkout -- <path> or git restore <path>`;
}

function showsOnly(words: readonly (string | undefined)[]): boolean {
	const shows = words.some((word) => /^(?:-[dxXq]*n[dnxXq]*|--dry-run)$/.test(word ?? ''));
	return shows && words.every((word) => word !== undefined && /^(?:[^-].*|-[ndxXq]+|--dry-run|--)$/.test(word));
}

function whyNotSwitch({ args, read, operands, own }: Git): string | undefined {
	if (findFlag(read, ['--detach', '-d'])) return 'stay on your branch';
	const created = createdBranch(args, ['-c', '-C', '--create', '--force-create', '--orphan']);
	return own(created === undefined ? operands[0] : created.name);
}

/** The word behind an option that makes a branch, in whatever form. */
function createdBranch(args: readonly GuardWord[], flags: readonly string[]): { name: string | undefined } | undefined {
	for (const [at, word] of args.entries()) {
		const value = word.forms[0]?.value ?? '';
		for (const flag of flags) {
			if (value === flag) return { name: fixedValue(args[at + 1]) };
			if (flag.startsWith('--') && value.startsWith(`${flag}=`)) return { name: fixedValue(word)?.slice(flag.length + 1) };
			if (!flag.startsWith('--') && /^-\w/.test(value) && !value.startsWith('--') && value.includes(flag.slice(1))) {
				const rest = value.slice(value.indexOf(flag.slice(1)) + 1);
				return { name: rest === '' ? fixedValue(args[at + 1]) : rest };
			}
			if (value.length > 3 && flag.startsWith('--') && flag.startsWith(value)) return { name: fixedValue(args[at + 1]) };
		}
	}
	return undefined;
}

function whyNotBranch({ args, read, operands, own }: Git): string | undefined {
	const reading = whyNotReading([fixedWord('branch'), ...args]);
	if (reading === undefined) return undefined;
	if (findFlag(read, ['--edit-description', '-u', '--set-upstream-to', '--unset-upstream', '-t', '--track']))
		return 'it changes the repository of everybody';
	// Of a new branch only the first name is made; of a rename or a removal, all of them are touched.
	const touchesAll = findFlag(read, ['-d', '-D', '--delete', '-m', '-M', '--move', '-c', '-C', '--copy']) !== undefined;
	const values = read.flags.flatMap(({ value }) => (value === undefined ? [] : [fixedValue(value)]));
	const touched = [...values, ...(touchesAll ? operands : operands.slice(0, 1))];
	return touched.map(own).find((why) => why !== undefined);
}

/** A refspec with a colon writes a branch here. */
function whyNotFetch({ operands, own }: Git): string | undefined {
	const targets = operands.flatMap((operand) =>
		operand === undefined
			? [undefined]
			: /^[+^]?[^:/@]+:[^/]/.test(operand) && !/^\w+@|^\w+:\/\//.test(operand)
				? [operand.slice(operand.indexOf(':') + 1)]
				: [],
	);
	return targets.map((target) => own(target?.replace(/^refs\/heads\//, ''))).find((why) => why !== undefined);
}

/** Files and folders that it writes besides what belongs to the worktree anyway. */
function writtenPaths(name: string, read: Arguments): readonly GuardWord[] {
	const output = valuesOf(read, names('--output --output-directory'));
	if (name === 'format-patch' || name === 'archive') return [...output, ...valuesOf(read, names('-o'))];
	if (name === 'clone') return [...output, ...read.operands.slice(1)];
	if (name === 'init') return [...output, ...read.operands];
	if (name === 'bundle') return [...output, ...read.operands.slice(1, 2)];
	return output;
}
