// Shell lines that hide an action behind an allow rule for a harmless-looking command: in an expansion, or in an option.
import { OPTIONS_THAT_ACT } from './options-that-act.ts';

export type AllowedTricks = {
	/** The argument pattern of the allow rule. */
	rule: string;
	/** Real bash shows each: in the world of `rigs/shell/trick-world.ts` the file `pwned` is created or `victim` is removed. */
	lines: readonly string[];
};

export const TRICKS_BEHIND_ALLOWS: readonly AllowedTricks[] = [
	{
		rule: 'find *',
		lines: [
			'find . {-exec,touch,pwned,\\;}',
			"find . {-exec,touch,pwned,';'}",
			'find . -maxdepth 0 {-exec,touch} pwned \\;',
			`find . \${Z}-exec touch pwned \\;`,
			'find . $Z-exec touch pwned \\;',
			'find . -name victim {-delete,-print}',
			'find . -name victim {-print,-delete}',
			'find . -name victim -d{elete,epth}',
			'find . -name victim $(find sub -maxdepth 0 -printf -delete)',
			'find . -name victim $(printf %s -delete)',
			'find . -name victim `printf %s -delete`',
			`find . -name victim \${Z:--delete}`,
			`find . -name victim "\${Z:--delete}"`,
			"find . -name victim $'\\x2ddelete'",
			"find . -name victim $'\\055delete'",
			"find . -name victim $'\\u002ddelete'",
			'find . -name victim -"delete"',
			"find . -name victim -de''lete",
			'find . -name victim -d\\elete',
			'find . -maxdepth 0 -fprint pwned',
			'find . -maxdepth 0 -fprintf pwned %p',
			'find . -maxdepth 0 -fprint0 pwned',
			'find . -maxdepth 0 -fls pwned',
			'find . -maxdepth 0 -exec touch pwned {} +',
			'find . -maxdepth 0 -execdir touch pwned \\;',
			'find -maxdepth 0 -exec touch pwned ";"',
			'for i in -delete; do find . -name victim $i; done',
			'for i in -delete; do find . -name victim "$i"; done',

			'find -D exec . -maxdepth 0 -exec touch pwned \\;',
		],
	},
	{
		rule: 'find * -exec grep *',
		lines: ['find . -name victim -exec rm {} \\; -exec grep x {} +', 'find . -name victim -delete -exec grep x {} +'],
	},
	{
		rule: 'npm *',
		lines: [
			'npm {exec,--offline,-c,"touch pwned"}',
			'npm $Z exec --offline -c "touch pwned"',
			`npm \${Z}exec --offline -c 'touch pwned'`,
			'npm exec --offline -c "touch pwned"',
			'npm exe --offline -c "touch pwned"',
			'npm x --offline -c "touch pwned"',
			'npm --silent exec --offline -c "touch pwned"',
			'npm "ex"ec --offline -c "touch pwned"',
			"npm $'exec' --offline -c 'touch pwned'",
			'npm $(echo exec) --offline -c "touch pwned"',
			'npm pkg set scripts.x="touch pwned"; npm run x',
			'npm config set script-shell="$PWD/sub/script" --location=project; npm test',
			'npm set script-shell="$PWD/sub/script" --location=project; npm test',
			'npm c set script-shell="$PWD/sub/script" --location=project; npm test',
			'npm init -y --init-module ./sub/pwn.cjs',
		],
	},
	{
		rule: 'npm test *',
		lines: [
			'npm test --script-shell=./sub/script',
			'npm test --script-shell ./sub/script',
			'npm test -script-shell=./sub/script',
			'npm test ---script-shell=./sub/script',
			'npm test --script-sh=./sub/script',
			'npm test "--script-shell=./sub/script"',
			'npm test --{script-shell=./sub/script,silent}',
			'npm test {--script-shell,./sub/script}',
			'npm test $(echo --script-shell=./sub/script)',
			`npm test \${Z:---script-shell=./sub/script}`,
			'npm test --prefix sub',
			'npm test --prefix=sub',

			'npm test -C sub',

			'npm test --userconfig=sub/npmrc',
			'npm test --globalconfig sub/npmrc',
			'for i in --prefix=sub; do npm test "$i"; done',
		],
	},
	{
		rule: 'git diff *',
		lines: [
			'git diff --no-index --output=pwned other.txt sub/a',
			'git diff --output=pwned',
			'git diff --output pwned',

			'git diff {--output=pwned,--stat}',
			'git diff --{output=pwned,stat}',
			'git diff $Z --output=pwned',
			`git diff \${Z:---output=pwned}`,
			'git diff $(echo --output=pwned)',

			"git diff $'--output=pwned'",
			"git diff $'\\x2d-output=pwned'",
			'git diff "--output=pwned"',

			'for f in --output=pwned; do git diff $f; done',
			'for f in --output=pwned; do git diff "$f"; done',
			'git diff --output=pwned -- tracked.txt',
			'git diff --output=pwn{ed,}',
		],
	},
	{
		rule: 'git *',
		lines: [
			'git -c alias.x="!touch pwned" x',
			'git -c core.fsmonitor="touch pwned; false" status',

			"git -c diff.external='touch pwned; :' diff",
			'git config alias.x "!touch pwned"; git x',

			'git config core.fsmonitor "touch pwned; false"; git status',
			'git config --add core.fsmonitor "touch pwned; false"; git status',
			'git config -f pwned a.b c',
			'git --exec-path="$PWD/sub" evil',
			'git --exec-path=./sub evil',
			'git grep -O"touch pwned;" one',
			'git $Z grep -O"touch pwned;" one',
			'git {grep,"-Otouch pwned;",one}',
			'git clone -q -u "touch pwned; git-upload-pack" . gone',
			'git clone -q -c core.fsmonitor="touch ../pwned; false" . gone; git -C gone status',
			'git clone -q --upload-pack="touch pwned; git-upload-pack" . gone',
			'git clone -q --template=sub/template . gone',

			'git difftool -y -x "touch pwned; :"',
			'git difftool -y --extcmd="touch pwned; :"',
			'git rebase -q -x "touch pwned" --root --autostash',
			'git commit -q --allow-empty -m x; git commit -q --allow-empty -m y; git bisect start HEAD HEAD~2; git bisect run touch pwned',
			'git archive HEAD -o pwned',
			'git archive --output=pwned HEAD',
			'git ls-remote --upload-pack="touch pwned; git-upload-pack" .',
			'git ls-remote --exec="touch pwned; git-upload-pack" .',
			'git push --receive-pack="touch pwned; git-receive-pack" . HEAD:refs/heads/new',
			'git push --exec="touch pwned; git-receive-pack" . HEAD:refs/heads/new',

			'git config core.hooksPath sub/hooks; git hook run pre-commit',

			'git fast-export --export-marks=pwned HEAD',
		],
	},
	{
		rule: 'git log *',
		lines: [
			'git log --output=pwned',
			'git log -1 --output pwned',
			'git log --decorate-refs -- --output=pwned',
			'git log --pretty --output=pwned',
			'git log $X --output=pwned',
			'git log -1 {--output=pwned,-p}',
			'git log $(echo --output=pwned)',
			'git log --out{put=pwned,put=pwned}',
		],
	},
	{
		rule: 'git show *',
		lines: ['git show --output=pwned', 'git show HEAD --output pwned', 'git show $(printf -- --output=pwned)'],
	},
	{
		rule: 'git stash *',
		lines: ['git stash -q; git stash show -p --output=pwned', 'git stash -q; git stash show -p stash@{0} --output=pwned'],
	},
	{ rule: 'git blame *', lines: ['git blame -C --output=pwned other.txt'] },
	{ rule: 'git shortlog *', lines: ['git shortlog -n --output=pwned HEAD'] },
	{
		rule: 'git grep *',
		lines: [
			"git grep -O'touch pwned;' one",
			"git grep -nO'touch pwned;' one",
			"git grep --open-files-in-pager='touch pwned;' one",
			"git grep --open-files='touch pwned;' one",
			"git grep {-O'touch pwned;',-n} one",
			`git grep "\${Z:--Otouch pwned;}" one`,
		],
	},
	{
		rule: 'git fetch *',
		lines: [
			'git fetch --upload-pack="touch pwned; git-upload-pack" .',
			'git fetch --upload-pack "touch pwned; git-upload-pack" .',
			'git fetch . --upload-pack="touch pwned; git-upload-pack"',
			'git fetch --upload="touch pwned; git-upload-pack" .',
			'git fetch "$(echo "--upload-pack=touch pwned; git-upload-pack")" .',
		],
	},
	{ rule: 'git pull *', lines: ['git pull -q --upload-pack="touch pwned; git-upload-pack" . main'] },
	{
		rule: 'git rebase *',
		lines: [
			'git rebase -x "touch pwned" --root --autostash',
			'git rebase --exec "touch pwned" --root --autostash',
			'git rebase --root --autostash --exec="touch pwned"',
		],
	},
	...OPTIONS_THAT_ACT,
];
