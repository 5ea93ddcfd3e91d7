import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { toTmuxLine, toTmuxTarget } from './tmux-words.ts';

describe('a target', () => {
	it('names one session exactly', () => {
		expect(unwrap(toTmuxTarget('bill-2'))).toBe('=bill-2:');
	});

	it.each(['', 'Bill', 'a:b', 'a.b', '=a', '-t x', 'a\nb', 'ä', 'a'.repeat(33)])(
		'refuses %j, which could mean another',
		(name) => {
			expect(unwrapError(toTmuxTarget(name))).toMatchObject({ code: 'bad_request', message: expect.stringContaining('no name') });
		},
	);
});

describe('a line', () => {
	it('keeps plain words readable and writes everything else as bytes', () => {
		expect(unwrap(toTmuxLine(['send-keys', "it's $HOME;", 'é', '']))).toBe(
			'"send-keys" "it\\047s\\040\\044HOME\\073" "\\303\\251" ""\n',
		);
	});

	it('refuses a zero byte, which no program can be given', () => {
		expect(unwrapError(toTmuxLine(['a\0b']))).toMatchObject({ code: 'bad_request' });
	});
});
