import { expect, it } from 'vitest';
import { toTmuxArgument } from './tmux-argument.ts';

it('guards only a final separator', () => {
	expect(['a;b', 'a;', ';', 'a\\;', 'a'].map(toTmuxArgument)).toEqual(['a;b', 'a\\;', '\\;', 'a\\\\;', 'a']);
});
