import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simpleCommands } from './simple-commands.ts';

function texts(line: string): string[] {
	const shell = simpleCommands(line);
	return (shell.parsed ? shell.commands : shell.recovered).map((command) => command.text);
}

function only(line: string) {
	const shell = simpleCommands(line);
	if (!shell.parsed || shell.commands[0] === undefined) throw new Error(`not one command: ${line}`);
	return shell.commands[0];
}

describe('simple commands', () => {
	it.each([
		['ls -l', ['ls -l']],
		['a; b && c || d | e & f', ['a', 'b', 'c', 'd', 'e', 'f']],
		['echo $(a "$(b)") `c`', ['echo $(a "$(b)") `c`', 'a "$(b)"', 'b', 'c']],
		['(a; { b; }); if c; then d; elif e; then f; else g; fi', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
		['for i in $(a); do b; done; while c; do d; done', ['a', 'b', 'c', 'd']],
		['case $(a) in x) b;; y) c;; esac', ['a', 'b', 'c']],
		['a <(b) >(c) <<E\n$(d)\nE\ne', ['a <(b) >(c) <<E', 'b', 'c', 'd', 'e']],
		[`echo \${x:-$(a)} $((1+$(b)))`, [`echo \${x:-$(a)} $((1+$(b)))`, 'a', 'b']],
		['X=1  a   "b  c"\t>f 2>&1 <g', ['X=1 a "b  c" <g']],
		['echo `a \\`b\\``', ['echo `a \\`b\\``', 'a `b`', 'b']],
		['! a; time b', ['a', 'b']],
	])('of %j are %j', (line, expected) => {
		expect(texts(line)).toEqual(expected);
	});

	it('have a name only if it is written plainly', () => {
		expect(only('git status').name).toBe('git');
		expect(only('/usr/bin/git').name).toBe('/usr/bin/git');
		expect(only('[ -f x ]').name).toBe('[');
		for (const line of ['$x', '"git" x', 'g*', '{a,b}', 'g\\it', '~/x', 'gït']) expect(only(line).name).toBeUndefined();
	});

	it('have words without quotes, assignments and written files', () => {
		expect(only(`A=1 B=x r"m" 'a b' c\\ d >> out 2> err`)).toMatchObject({
			words: ['rm', 'a b', 'c d'],
			assignments: ['A', 'B'],
			writes: [
				{ append: true, target: 'out' },
				{ append: false, target: 'err' },
			],
		});
		expect(only('a > "$x"').writes).toEqual([{ append: false, target: undefined }]);
		expect(only('a > "b c"').writes).toEqual([{ append: false, target: 'b c' }]);
		for (const line of ['a 2>&1', 'a >/dev/null', 'a >&2', 'a 2>&-', 'a < x', 'a &>/dev/null'])
			expect(only(line).writes).toEqual([]);
	});

	it('are opaque if they may evaluate text that the line does not show', () => {
		for (const line of [
			`a \${x@P}`,
			`a \${!x}`,
			'a $((x))',
			`a \${x:=y}`,
			`a \${x[y]}`,
			`a \${x:y}`,
			'a *(b)',
			'a $"b"',
			'x[1]=1 a',
			'a {fd}>b',
			'a <$x',
			'a }',
		]) {
			expect(only(line).opaque, line).toBeTypeOf('string');
		}
		for (const line of [`a \${x} $x \${x:-y} \${x%y} \${x:1:2} \${x[@]} $((1+2))`, 'a <x', 'a *.ts {b,c} ~ "$x"']) {
			expect(only(line).opaque, line).toBeUndefined();
		}
	});

	it('are recovered but marked as unparsed if a line is malformed or contains hidden characters', () => {
		for (const line of ['a; b "', 'a; b $(', 'a; b )', 'a; b\u0000', 'a; b\r', 'a; b \u202e', 'a; b\u00a0', 'a; b <<E\nx']) {
			expect(simpleCommands(line).parsed, line).toBe(false);
			expect(texts(line)[0], line).toBe('a');
		}
	});

	it('are not parsed in lines crafted to be slow', () => {
		for (const line of ['{a,'.repeat(20_000), '$('.repeat(20_000), '`'.repeat(20_000), 'a '.repeat(200_000)]) {
			expect(simpleCommands(line).parsed).toBe(false);
		}
	});

	it('never cause an exception', () => {
		const piece = fc.constantFrom(
			...'$ ( ) { } ` " \' \\ < > | & ; # ! [ ] = * ? ~ a b \n \t << E (( )) [[ ]] ${ $( \u0000'.split(' '),
			' ',
		);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ unit: 'binary' }),
					fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
				),
				(line) => {
					expect(simpleCommands(line)).toHaveProperty('parsed');
				},
			),
			{ numRuns: 1_000 },
		);
	});
});
