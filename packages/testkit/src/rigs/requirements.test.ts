import { expect, it } from 'vitest';
import { cannotRun, claude, program } from './requirements.ts';

const absent = program('no-such-program');

it('finds a program that is on the PATH', () => {
	expect(program('git')).toEqual({ name: 'git' });
	expect(program('git', '')).toEqual({ name: 'git', missing: 'git is not on the PATH: install it.' });
});

it('skips where something is missing and prints the reason once', () => {
	const told: string[] = [];
	expect(cannotRun([program('git'), absent], { ci: false, tell: (line) => void told.push(line) })).toBe(true);
	expect(told).toEqual(['skipped: no-such-program is not on the PATH: install it.\n']);
});

it('never skips under CI, nor where everything is there', () => {
	expect(cannotRun([absent], { ci: true })).toBe(false);
	expect(cannotRun([program('git')], { ci: false })).toBe(false);
});

it('finds the claude that comes with the Agent SDK', () => {
	expect(claude()).toEqual({ name: 'claude' });
});
