import { posix } from 'node:path';
import { EVERYDAY_COMMANDS } from '@roost/testkit/corpora/everyday-commands';
import { READING_COMMANDS } from '@roost/testkit/corpora/reading-commands';
import { SHELL_TRICKS } from '@roost/testkit/corpora/shell-tricks';
import { WORKTREE_ESCAPES } from '@roost/testkit/corpora/worktree-escapes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CANARY_COMMAND } from './canary-command.ts';
import { judgeLine, type LineVerdict } from './judge-line.ts';

const WHO = { agentName: 'bee', worktreePath: '/home/dev/tree', gates: ['npm run check'] };
const reader = (line: string) => judgeLine(line, { ...WHO, writes: false });
const writer = (line: string) => judgeLine(line, { ...WHO, writes: true });

/** Judged by the text of a path only, without disk access. */
function staysInside(verdict: LineVerdict): boolean {
	if (!verdict.allowed) return false;
	return verdict.paths.every(({ path }) => {
		const way = posix.relative(WHO.worktreePath, posix.resolve(WHO.worktreePath, path));
		return !way.startsWith('..') && !way.split('/').includes('.git');
	});
}

describe('read-only agent', () => {
	it('is denied each of more than 300 tricks', () => {
		expect(SHELL_TRICKS.length).toBeGreaterThan(300);
		expect(new Set(SHELL_TRICKS.map((trick) => trick.line)).size).toBe(SHELL_TRICKS.length);
		expect(SHELL_TRICKS.filter((trick) => reader(trick.line).allowed)).toEqual([]);
	});

	it.each(READING_COMMANDS)('may run a reading command: %j', (line) => {
		expect(reader(line)).toEqual({ allowed: true, paths: [] });
	});

	it('may run its required check, exactly as configured', () => {
		expect(reader('npm run check')).toEqual({ allowed: true, paths: [] });
		for (const line of ['npm run check; ls', 'npm run check -- x', 'npm  run check', 'npm run', 'X=1 npm run check'])
			expect(reader(line).allowed, line).toBe(false);
	});

	it('gets a reason with advice', () => {
		expect(reader('ls > x')).toMatchObject({ reason: expect.stringContaining('redirection') });
		expect(reader('ls; f() { ls; }')).toMatchObject({ reason: expect.stringContaining('separate plain commands') });
		expect(reader('npm test')).toMatchObject({ reason: expect.stringContaining('"npm" is not on the list') });
	});
});

describe('agent that writes in its worktree', () => {
	it.each(EVERYDAY_COMMANDS)('may do everyday work: %j', (line) => {
		expect(writer(line)).toMatchObject({ allowed: true });
		expect(staysInside(writer(line))).toBe(true);
	});

	it('is denied every escape, by the verdict or by the paths returned for checking', () => {
		const linked = /\bout\b|\bo\*|\.g\*/;
		const passed = WORKTREE_ESCAPES.filter((line) => staysInside(writer(line)) && !linked.test(line));
		expect(passed).toEqual([]);
	});

	it('has its paths resolved from the directory in which each command runs', () => {
		const paths = (line: string) => {
			const verdict = writer(line);
			return verdict.allowed ? verdict.paths.map(({ path }) => path) : verdict.reason;
		};
		expect(paths('cd a && rm x')).toEqual(['.', 'a', 'a/x']);
		expect(paths('cd a; rm x')).toEqual(['.', 'a', 'a/x', 'x']);
		expect(paths('cd a || exit; rm x')).toEqual(['.', 'a', 'a/x']);
		expect(paths('(cd a); rm x')).toEqual(['.', 'x']);
		expect(paths('cd a && (cd b && rm x) && rm y')).toEqual(['.', 'a', 'a/b', 'a/b/x', 'a', 'a/y']);
		expect(paths("bash -c 'cd a && rm x'; rm y")).toEqual(['.', 'a', 'a/x', 'y']);
		expect(paths('for f in a b; do rm $f; done')).toEqual(['.', 'a', 'b']);
		expect(paths('x=a; mv $x/b "$x c"')).toEqual(['.', 'a/b', 'a c']);
		expect(paths('find a b -name x -exec rm {} +')).toEqual(['.', 'a', 'b']);
	});
});

describe('any agent', () => {
	it('is denied the canary command anywhere in a line', () => {
		for (const judge of [reader, writer]) {
			for (const line of [CANARY_COMMAND, `ls; ${CANARY_COMMAND}`, `  ${CANARY_COMMAND}  `])
				expect(judge(line).allowed).toBe(false);
		}
	});

	it('gets a verdict on any line', () => {
		const piece = fc.constantFrom(
			...EVERYDAY_COMMANDS,
			...SHELL_TRICKS.map((trick) => trick.line),
			...'; && | & $( ) { } " \' \\ ` \n'.split(' '),
		);
		const line = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(' ')),
		);
		fc.assert(
			fc.property(line, (text) => {
				for (const judge of [reader, writer]) expect(judge(text)).toHaveProperty('allowed');
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 20_000 : 200 },
		);
	});

	it('that only reads is denied a removal inserted anywhere into an allowed line, however it is quoted', () => {
		const removal = fc.constantFrom(
			'rm -rf x',
			"r''m -rf x",
			'"rm" -rf x',
			'\\rm -rf x',
			'$(rm -rf x)',
			'`rm -rf x`',
			'{ rm -rf x; }',
		);
		const joint = fc.constantFrom('; ', ' && ', ' || ', ' | ', ' & ', '\n', ' ;');
		const line = fc
			.tuple(fc.constantFrom(...READING_COMMANDS), fc.constantFrom(...READING_COMMANDS), removal, joint, joint, fc.boolean())
			.map(([before, after, rm, first, second, last]) =>
				last ? `${before}${first}${rm}` : `${rm}${first}${before}${second}${after}`,
			);
		// Inside a heredoc the same words are only text; there the command must start a new line.
		fc.assert(
			fc.property(line, (text) => {
				fc.pre(!text.includes('<<'));
				expect(reader(text).allowed).toBe(false);
			}),
			{ numRuns: process.env.ROOST_SOAK === '1' ? 20_000 : 500 },
		);
	});
});
