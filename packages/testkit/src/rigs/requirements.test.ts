import { expect, it } from 'vitest';
import { cannotRun, claude, program } from './requirements.ts';

const absent = program('no-such-program');

it('finds a program that is on the PATH', () => {
	expect(program('git')).toEqual({ name: 'git' });
	expect(program('git', '')).toEqual({ name: 'git', missing: 'git is not on the PATH: install it.' });
});

it('skips when a program is missing, and prints the reason', () => {
	const reported: string[] = [];
	expect(cannotRun([program('git'), absent], { ci: false, report: (line) => void reported.push(line) })).toBe(true);
	expect(reported).toEqual(['skipped: no-such-program is not on the PATH: install it.\n']);
});

it('never skips in CI, or when every program is available', () => {
	expect(cannotRun([absent], { ci: true })).toBe(false);
	expect(cannotRun([program('git')], { ci: false })).toBe(false);
});

it('finds the claude bundled with the Agent SDK', () => {
	expect(claude()).toEqual({ name: 'claude' });
});
