// Real bash runs lines that a reader is allowed to run: a command that is not in the table must never run.

import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import { shellPieces } from '@roost/testkit/corpora/shell-pieces';
import { type BashCanary, createBashCanary } from '@roost/testkit/rigs/shell/bash-canary';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeLine } from './judge-line.ts';

/** Pieces that evaluate `x`, whose value contains a subscript with a command. */
const EVALUATING_PIECES: readonly string[] = [
	'echo $((x))',
	'echo $((i + 1))',
	'i=0; ',
	'i=1; ',
	'i=x; ',
	'_=1; ',
	'echo "$x"; ',
	'echo $((_))',
	'i=1 x=$i; ',
	'x=1 i=$x; ',
	'i=$x z=$((i)); ',
	'i=$x; ',
	'x=1; ',
	'x=$((x + 1)); ',
	'echo $((x = 1)); ',
	'((i = 1)); ',
	'((i++)); ',
	'[[ x -eq 1 ]]',
	'[[ $x -lt i ]]',
	'[[ -v $x ]]',
	'[[ i -eq 1 ]]',
	'[ -v "$x" ]',
	'[ $x ]',
	'[ "$x" -eq 1 ]',
	'[ "$i" "$x" ]',
	'test -v a[x]',
	'for i in 1 2; do ',
	'for x in 1 2; do ',
	'for i in $x; do ',
	'while [ $i -lt 3 ]; do ',
	'for ((i=0;i<2;i++)); do ',
	'for ((i=x;i<2;i++)); do ',
	'; done; ',
	'read i <<< "$x"; ',
	'read -a x <<< 1; ',
	'printf -v i %s "$x"; ',
	'declare -i i="$x"; ',
	'declare i="$x"; ',
	'declare -n i=x; ',
	'export i="$x"; ',
	'command export "i=$x"; ',
	'RANDOM=$x; ',
	'SECONDS=$x; ',
	'for SECONDS in "$x"; do ',
	'a=(1); declare a="($x)"; ',
	'unset "$x"; ',
	'mapfile -t i <<< "$x"; ',
	'{ ',
	'; }; ',
	'( ',
	' ); ',
	' && ',
	' || ',
	'i=$x eval ',
	"bash -c 'echo $((x))'",
	'true || ',
	'false && ',
	`$(( \${`,
	'[i]}',
	'))',
	'exec {i}>f; ',
	`echo "\${i:x}"`,
	`echo \${#x}`,
	`echo $((\${#x}))`,
	'echo $(($i))',
	`echo $((\${i}))`,
	'echo $[i]',
	'let i=x; ',
	'i+=$x; ',
	`\${z:+$((i=1))}`,
	'echo ',
];

const ROUNDS = process.env.ROOST_SOAK === '1' ? 60_000 : 500;
const WHO = { writes: false, agentName: 'bee', worktreePath: '/home/dev/tree', gates: [] };

it('never lets real bash run a command outside the table', { timeout: 3_600_000 }, () => {
	const piece = fc.constantFrom(
		...shellPieces('cat', 'canary'),
		'echo ',
		'xargs ',
		'env ',
		'find . -exec ',
		' \\;',
		' + ',
		'{}',
		'-I',
		'-I x ',
		'sed p ',
		'sort ',
	);
	const line = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => `cat ${pieces.join('')}`);
	const ran = runAllowed(line);
	expect(ran).toBeGreaterThan(ROUNDS / 100);
});

it('never lets real bash run a command inserted into an allowed line, at any position and in any quotes', {
	timeout: 3_600_000,
}, () => {
	runAllowed(withInserted(READING_COMMANDS, 'canary'));
});

it('never lets real bash run a push inserted into an everyday line', { timeout: 3_600_000 }, () => {
	const names = EVERYDAY_COMMANDS.flatMap((line) => line.match(/[a-z][\w.-]*/g) ?? []);
	using bash = createBashCanary({ quiet: [...new Set(names)].filter((name) => name !== 'git'), canary: ['git', 'push'] });
	const ran = runWhere(bash, withInserted(EVERYDAY_COMMANDS, 'git push'), { ...WHO, writes: true });
	expect(ran).toBeGreaterThan(ROUNDS / 100);
	expect(bash.run('npm test; git push')).toBe('npm test; git push');
});

it('never lets real bash run a push through anything that evaluates text', { timeout: 3_600_000 }, () => {
	const piece = fc.constantFrom(...shellPieces('echo', 'git push'), ...EVALUATING_PIECES);
	const line = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => `x='a[$(git push)]'; ${pieces.join('')}`);
	using bash = createBashCanary({ quiet: ['cat', 'ls'], path: '/usr/bin:/bin', canary: ['git', 'push'] });
	const ran = runWhere(bash, line, { ...WHO, writes: true });
	expect(ran).toBeGreaterThan(ROUNDS / 100);
	expect(bash.run("x='a[$(git push)]'; echo $((x))")).toBe("x='a[$(git push)]'; echo $((x))");
});

/** Lines with an inserted command, in every way that a shell might run it. */
function withInserted(lines: readonly string[], command: string): fc.Arbitrary<string> {
	const inserted = fc.constantFrom(...WAYS_IN.map((way) => way.replaceAll('canary', command)));
	return fc
		.tuple(fc.constantFrom(...lines), fc.array(fc.tuple(inserted, fc.nat({ max: 60 })), { minLength: 1, maxLength: 3 }))
		.map(([start, pieces]) => pieces.reduce((text, [piece, at]) => text.slice(0, at) + piece + text.slice(at), start));
}

const WAYS_IN = [
	...['; canary', ';canary;', '&& canary', '| canary', '& canary &', '\ncanary\n', '$(canary)', '`canary`', '"$(canary)"'],
	...['<(canary)', '1<(canary)', '2>(canary)', '{x}<(canary)', "';canary;'", '";canary;"', "$'\\x63anary'", "; c''anary"],
	...['; \\canary', '; "canary"', '{ canary; }', '(canary)', '> canary', "'", '"', '\\', '; $x canary', '|& canary', '<<E\n'],
];

/** Returns how many lines were allowed and run. */
function runAllowed(line: fc.Arbitrary<string>): number {
	using bash = createBashCanary({ quiet: ['cat', 'echo', 'sort', 'git', 'sed', 'ls', 'grep', 'roost'], path: '/usr/bin:/bin' });
	const ran = runWhere(bash, line, WHO);
	expect(bash.run('cat; canary')).toBe('cat; canary');
	return ran;
}

function runWhere(bash: BashCanary, line: fc.Arbitrary<string>, who: typeof WHO): number {
	let ran = 0;
	fc.assert(
		fc.property(line, (text) => {
			if (!judgeLine(text, who).allowed) return;
			ran++;
			expect(bash.run(text)).toBeUndefined();
		}),
		{ numRuns: ROUNDS },
	);
	return ran;
}
