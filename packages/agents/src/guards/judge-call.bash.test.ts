// Real bash runs lines that a builder is allowed to run: nothing outside of its worktree may change, and nothing is pushed.

import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempDisposableSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeCall } from './judge-call.ts';

/** Paths for the worktree of `createBashWorktree`: some lead out of it, most do not. */
const WORKTREE_PATHS: readonly string[] = [
	...[
		'a',
		'b',
		'c',
		'sub/x',
		'sub/new',
		'c/x',
		'sub',
		'sub/',
		'./a',
		'here/c',
		'here/c/x',
		'down',
		'down/..',
		'down/../..',
		'sub/deep/x',
	],
	...['sub/later', 'sub/later/x', 'new', 'new/x', 'down/up', 'up', 'up/x', 'victim', 'x'],
	...['../other', '../other/x', 'out', 'out/x', 'sub/deep/up/x', '.git/config', '..', '.', '-x', '-t..', '-'],
	...[
		'$x',
		'"$x"',
		'"$x/x"',
		'a$x',
		'"a$x"',
		'{a,c}',
		'{a,../other/x}',
		'{1..3}',
		'$(cat list)',
		'"$(cat list)"',
		'$(head -1 list)',
	],
	...['$(echo -t../other)', '*', './*', 'sub/*', '$PWD/a', '"$OLDPWD"', '$(pwd)/c', '$((1))', '$((x))', '{}', 'PLACE', '""'],
];

const WORKTREE_LINES: readonly string[] = [
	...[
		'rm -rf P',
		'rm -rf P',
		'rm -rf P/x',
		'rmdir P',
		'unlink P',
		'mkdir -p P',
		'touch P',
		'truncate -s 0 P',
		'echo x > P',
		'echo x >> P',
	],
	...[
		'cp P P',
		'cp P',
		'cp -P P P',
		'cp -r P P',
		'cp -d P P',
		'cp -a P P/',
		'cp -t P a',
		'cp P P P',
		'mv P P',
		'mv P',
		'mv P P/',
		'mv -t P a',
	],
	...[
		'ln -s P P',
		'ln -s P',
		'ln -sfn P P',
		'ln P P',
		'tee P < a',
		'tee P P < a',
		'cat a > P',
		'install P P',
		'install -d P',
		'dd if=a of=P',
	],
	...[
		'sed -i s/one/two/ P',
		'sed -i -e s/one/two/ P P',
		'sort -o P a',
		'sort P P',
		'sort -t P -o P a',
		'uniq P P',
		'uniq P',
		'split -l 1 P P',
	],
	...[
		'xxd -ps P P',
		'xxd -r -p P P',
		'chmod -x P',
		'chmod +x P',
		'chmod --reference=a P',
		'gzip -k P',
		'tar cf P a',
		'tar cf P P',
		'tar xf P',
	],
	...['tar xf t.tar -C P', 'tar xfC t.tar P', 'tar cf t.tar sub out down', 'csplit -f P a 1'],
	...[
		'cd P',
		'cd P || exit',
		'cd P || exit < nothing',
		'pushd P',
		'pushd +1',
		'popd',
		'true < nothing || cd P',
		'true || cd P',
		': > P',
		'cd P; L',
	],
	...[
		'x=P',
		'x=a',
		'x=1',
		'x=P; L',
		'_=P; L; rm -rf $_',
		'x=P r=$x; rm -rf $r',
		'x=P r=$x; L',
		'x=P > $x',
		'x+=P',
		'export x=P',
		'export "x=P"',
		'command export x=P',
		'declare x=P',
		'declare -i x=P',
		'declare -n r=x',
	],
	...[
		'r=P',
		'read x < list',
		'read -a x < list',
		'read -ax < list',
		'read -r x r < list',
		'printf -v x %s P',
		'printf -vx %s P',
		'mapfile -t x < list',
	],
	...[
		'unset x',
		'getopts a x -a',
		'x=P eval L',
		'x=P L',
		"y='a[$(git push)]'",
		"x='a[$(git push)]'",
		'y=$(tail -1 list)',
		'x=$((x + 1))',
		'x=y',
	],
	...[
		'echo $((x))',
		'echo $((y))',
		'((x))',
		'((x++))',
		'((x = 2))',
		'[[ x -eq 1 ]]',
		'[[ $x -eq 1 ]]',
		'[[ -v x ]]',
		'[ -v "$y" ]',
		'[ "$x" "$y" ]',
	],
	...[
		'test $x',
		'let x=y',
		'a[y]=1',
		'a=([y]=1)',
		'for ((i=x;i<3;i++)); do L; done',
		'unset "$y"',
		'read "$y" < a',
		'printf -v "$y" x',
	],
	...[
		'for x in P P; do L; done',
		'for x in 1 2; do L; L; done',
		'for PWD in P; do L; done',
		'while read -r x; do L; done < list',
		'if L; then L; fi',
	],
	...[
		'{ L; L; }',
		'(L; L)',
		'{ L; } > P',
		'L && L',
		'L || L',
		'L | L',
		'L & wait',
		'L; L',
		'L; L; L',
		'L\nL',
		'echo $(L)',
		'cat <(L)',
	],
	...[
		'find P -delete',
		'find P -name x -exec rm {} +',
		'find P -exec tee {} \\; < a',
		'find P -type f -exec cp a {} \\;',
		'find P -exec cp a {} \\;',
	],
	...[
		'find P -exec touch P + {} \\;',
		'find P -exec sort -t + -o P {} \\;',
		'find P -execdir rm P \\;',
		'find P -exec rm P \\;',
		'find P -fprint P',
	],
	...[
		'find P -exec rm {"}" \\;',
		'find P -type f -exec sed -i s/one/two/ {} \\;',
		'find . -exec sed -i s/one/two/ {} \\;',
		'find P P',
	],
	...[
		'cat list | xargs rm',
		'cat list | xargs cp a',
		'cat list | xargs -I{} rm {}',
		'cat list | xargs -I PLACE rm P',
		'echo P | xargs -I{} cp P {}',
	],
	...[
		'echo P | xargs -I{} -n1 rm',
		'ls | xargs -n1 cp P',
		'echo P P | xargs cp',
		'for x in zz PLACE; do echo P | xargs -I $x rm PLACE; done',
	],
	...[
		'env L',
		'env x=P L',
		'timeout 5 L',
		'command L',
		'builtin L',
		'nice L',
		'time L',
		'exec L',
		'eval "L"',
		"eval 'L'",
		"bash -c 'L'",
		'env $x rm P',
	],
	...['git push', 'git status', 'ls P', 'echo P', 'cat P', 'grep -q one P', 'git add P', 'exec > P', 'wait'],
];

const ROUNDS = process.env.ROOST_SOAK === '1' ? 40_000 : 300;

it('never allows a command with which real bash changes anything outside the worktree', { timeout: 3_600_000 }, async () => {
	using world = createBashWorktree();
	const def = { agentName: 'bee', capability: 'builder', worktreePath: world.path, stateDir: world.path };
	let ran = 0;
	world.reset();
	const round = async (line: string) => {
		const verdict = await judgeCall(def, { tool: 'Bash', input: { command: line }, cwd: world.path });
		if (!verdict.allowed) return;
		ran++;
		expect(world.run(line)).toBeUndefined();
		world.reset();
	};
	await fc.assert(fc.asyncProperty(worktreeLine(), round), { numRuns: ROUNDS });
	expect(ran).toBeGreaterThan(ROUNDS / 30);
	expect(world.run('ln -s ../other d; touch d/y')).toContain('other/y');
});

/** A template filled with other lines and with paths. */
function worktreeLine(): fc.Arbitrary<string> {
	const choices = fc.array(fc.nat(), { minLength: 24, maxLength: 24 });
	return choices.map((numbers) => {
		const left = [...numbers];
		const choose = (list: readonly string[]) => list[(left.shift() ?? 0) % list.length] ?? 'ls';
		const fill = (line: string, depth: number): string =>
			line
				.replaceAll(/\bL\b/g, () => (depth > 3 ? 'ls' : fill(choose(WORKTREE_LINES), depth + 1)))
				.replaceAll(/\bP\b/g, () => choose(WORKTREE_PATHS));
		return fill('L; L; L', 0);
	});
}

type BashWorktree = Disposable & {
	/** Restored before every line. */
	path: string;
	reset(): void;
	/** What the line changed outside, or that it pushed; undefined where it did neither. */
	run(line: string): string | undefined;
};

const DEADLINE_MS = 3_000;
/** Names in a list that lines read one after the other. */
const LIST = '../other/victim\n-t../other\na[$(git push)]\n';

/** A worktree beside a folder that must not change: real bash runs lines in the first and compares the second. */
function createBashWorktree(): BashWorktree {
	const dir = mkdtempDisposableSync(join(tmpdir(), 'roost-worktree-'));
	// Deeply nested, so that a line that climbs too far does no harm.
	const around = join(realpathSync(dir.path), 'a/b/c/d/e');
	const path = join(around, 'tree');
	const bin = join(dir.path, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'git'), `#!/bin/bash\n[ "$1" = push ] && : > '${join(around, 'pushed')}'\n`);
	chmodSync(join(bin, 'git'), 0o700);
	const reset = () => {
		rmSync(join(dir.path, 'a'), { recursive: true, force: true });
		for (const folder of ['tree/sub/deep', 'tree/.git', 'other/sub']) mkdirSync(join(around, folder), { recursive: true });
		for (const name of ['tree/a', 'tree/b', 'tree/sub/x', 'tree/.git/config', 'other/victim', 'other/x', 'other/sub/x'])
			writeFileSync(join(around, name), 'one\ntwo\n');
		writeFileSync(join(path, 'list'), LIST);
		symlinkSync('../other', join(path, 'out'));
		symlinkSync('.', join(path, 'here'));
		symlinkSync('sub/deep', join(path, 'down'));
		symlinkSync('../../other', join(path, 'sub/deep/up'));
		symlinkSync('../new', join(path, 'sub/later'));
	};
	const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(around, 'other') };
	return {
		path,
		reset,
		run(line) {
			const before = outside(around);
			try {
				execFileSync('/bin/bash', ['-c', line], { cwd: path, env, timeout: DEADLINE_MS, stdio: ['ignore', 'pipe', 'pipe'] });
			} catch (cause) {
				// A line may fail or loop forever; only its changes matter.
				if (!(cause instanceof Error && ('status' in cause || 'signal' in cause))) throw cause;
			}
			const after = outside(around);
			return before === after ? undefined : `${line}\nmade of\n${before}\nthis:\n${after}`;
		},
		[Symbol.dispose]: () => dir.remove(),
	};
}

/** Everything beside the worktree. */
function outside(around: string): string {
	const beside = readdirSync(around).filter((name) => name !== 'tree');
	return beside.flatMap((name) => look(around, name)).join('\n');
}

function look(root: string, name: string): string[] {
	const stats = lstatSync(join(root, name), { throwIfNoEntry: false });
	if (stats === undefined) return [`${name} is gone`];
	if (!stats.isDirectory()) return [`${name} ${stats.mode} ${stats.isFile() ? readFileSync(join(root, name), 'utf8') : ''}`];
	return [name, ...readdirSync(join(root, name)).flatMap((each) => look(root, `${name}/${each}`))];
}
