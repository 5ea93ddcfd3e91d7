import { describe, expect, it } from 'vitest';
import { onlyPrints } from './scripts.ts';

describe('awk program', () => {
	it('is recognized as harmless if it only prints', () => {
		const programs = [
			'{ print $1 }',
			'$3 >= 5',
			'/a/ || /b/ { n++ } END { print n }',
			'NR==1,NR==3',
			'{ printf "%s\\n", $2 }',
			'length($0) < 80',
		];
		for (const program of programs) expect(onlyPrints(program, false), program).toBe(true);
	});

	it('is not recognized as harmless if it may write files or run commands', () => {
		const programs = [
			'{ print > "x" }',
			'{ print >> "x" }',
			'{ print > 2 }',
			'{ print | "sh" }',
			'{ print |& "sh" }',
			'{ print ||| "sh" }',
			'BEGIN { system("x") }',
			'{ "x" | getline }',
			'{ getline < "x" }',
			'@load "x"',
			'{ f = "system"; @f("x") }',
		];
		for (const program of programs) expect(onlyPrints(program, false), program).toBe(false);
	});

	it('may compare with a number if a file of that name would be harmless', () => {
		for (const program of ['$3 > 5', '{ if ($3 > 5) print }', '$1 > 0 && $2 >= 1'])
			expect(onlyPrints(program, true), program).toBe(true);
		for (const program of ['{ print > 5 "/../x" }', '{ print > x }', '{ print > "5" }'])
			expect(onlyPrints(program, true), program).toBe(false);
	});
});
