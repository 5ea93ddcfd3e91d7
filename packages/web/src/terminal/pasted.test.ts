import { expect, it } from 'vitest';
import { toPasted } from './pasted.ts';

it('keeps text, tabs and line ends, and drops everything that a terminal acts on', () => {
	expect(toPasted('a\tb\r\nc\n漢字 😀')).toBe('a\tb\r\nc\n漢字 😀');
	expect(toPasted('ls\x1b[201~\nrm -rf ~\x03\x00\u009b')).toBe('ls[201~\nrm -rf ~');
});
