// Shell lines that write, remove, run or send something in unobvious ways. All are denied to a reader.
import { TRICKS_THAT_REACH } from './tricks-that-reach.ts';
import { TRICKS_THAT_REMOVE } from './tricks-that-remove.ts';
import { TRICKS_THAT_WRITE } from './tricks-that-write.ts';

export type ShellTrick = {
	line: string;
	/** Its effect. */
	does: string;
	/** Real bash shows it: in the world of `rigs/shell/trick-world.ts` the file `pwned` is created or `victim` is removed. */
	shows: boolean;
};

export type TrickGroup = { does: string; shows?: boolean; lines: readonly string[] };

/** Git lines that write or run something with an option that looks read-only. */
const GIT_TRICKS: readonly TrickGroup[] = [
	{
		does: 'runs a program or writes a file behind an option that takes no value there',
		shows: true,
		lines: [
			"git grep -n -O'touch pwned;' one",
			"git grep -nO'touch pwned;' one",
			"git grep -inO'touch pwned;' one",
			"git grep -n --open-files-in-pager='touch pwned;' one",
			"git grep -n --open-f='touch pwned;' one",
			"git grep -n -C 1 -O'touch pwned;' one",
			"git grep -G -O'touch pwned;' one",
			'git diff -C --output=pwned',
			'git diff -B --output=pwned',
			'git diff -U --output=pwned',
			'git diff -C --output pwned',
			'git diff-files -C --output=pwned',
			'git diff-index -B --output=pwned HEAD',
			'git diff-tree -C --output=pwned HEAD HEAD',
			'git log --pretty --output=pwned',
			'git log --decorate-refs -- --output=pwned',
			'git show --pretty --output=pwned',
			'git whatchanged --pretty --output=pwned',
			'git shortlog -n --output=pwned HEAD',
			'git shortlog -e --output=pwned HEAD',
			'git rev-list --pretty --output=pwned HEAD',
			'git blame -C --output=pwned other.txt',
			'git blame -n --output=pwned other.txt',
			'git annotate -e --output=pwned other.txt',
			'git reflog --pretty --output=pwned',
			'git range-diff -C --output=pwned HEAD..HEAD HEAD..HEAD',
		],
	},
	{
		does: 'changes settings or branches, or runs a viewer',
		lines: [
			'git config user.name -',
			'git config user.name -- -x',
			'git config user.name -- x',
			'git config user.name --global',
			'git config user.name --get',
			'git config --type --get user.name x',
			'git branch --format --list x',
			'git branch --format --sort x',
			'git branch --sort --format x',
			'git branch --format -m x',
			'git branch -- x',
			'git tag -l -n -d x',
			'git tag --sort -n x',
			'git symbolic-ref HEAD -- refs/heads/x',
			'git remote -v update',
			'git remote -v -- update',
			'git reflog -n expire',
			'git reflog -q delete HEAD@{0}',
			'git log --help',
			'git stash -q list',
		],
	},
];

export const SHELL_TRICKS: readonly ShellTrick[] = [
	...TRICKS_THAT_REMOVE,
	...TRICKS_THAT_WRITE,
	...TRICKS_THAT_REACH,
	...GIT_TRICKS,
].flatMap(({ does, shows = false, lines }) => lines.map((line) => ({ line, does, shows })));
