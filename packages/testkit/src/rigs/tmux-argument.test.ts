import { expect, it } from 'vitest';
import { toTmuxArgument, toTmuxTarget } from './tmux-argument.ts';

it('guards only a final separator', () => {
	expect(['a;b', 'a;', ';', 'a\\;', 'a'].map(toTmuxArgument)).toEqual(['a;b', 'a\\;', '\\;', 'a\\\\;', 'a']);
});

it('names one session exactly and refuses what could mean another', () => {
	expect(toTmuxTarget('bill-2')).toBe('=bill-2:');
	for (const name of ['', 'Bill', 'a:b', 'a.b', '=a', '-t x', 'a'.repeat(33)])
		expect(() => toTmuxTarget(name)).toThrow('not a session name');
});
