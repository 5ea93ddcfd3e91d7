import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { describe, expect, it } from 'vitest';
import { toSessionWords, toTmuxLine, toTmuxTarget } from './run-tmux.ts';

describe('tmux target', () => {
	it('matches one session exactly', () => {
		expect(unwrap(toTmuxTarget('bill-2'))).toBe('=bill-2:');
	});

	it.each(['', 'Bill', 'a:b', 'a.b', '=a', '-t x', 'a\nb', 'ä', 'a'.repeat(33)])(
		'rejects %j, which could match another session',
		(name) => {
			expect(unwrapError(toTmuxTarget(name))).toMatchObject({
				code: 'bad_request',
				message: expect.stringContaining('not a valid terminal name'),
			});
		},
	);
});

describe('tmux command line', () => {
	it('keeps plain words readable, and escapes everything else as bytes', () => {
		expect(unwrap(toTmuxLine(['send-keys', "it's $HOME;", 'é', '']))).toBe(
			'"send-keys" "it\\047s\\040\\044HOME\\073" "\\303\\251" ""\n',
		);
	});

	it('rejects a NUL byte', () => {
		expect(unwrapError(toTmuxLine(['a\0b']))).toMatchObject({ code: 'bad_request' });
	});
});

it('never passes environment values as program arguments, unless tmux would set them itself', () => {
	const env = { API_KEY: 'secret', PATH: '/bin', TERM: 'xterm' };
	const words = toSessionWords('bill', { argv: ['sh'], cwd: '/', env, size: { cols: 80, rows: 24 } }, ['LANG', 'API_KEY']);
	const command = words.slice(words.indexOf('--') + 1);
	expect(words.slice(0, words.indexOf('--'))).toContain('API_KEY=secret');
	expect(command).toEqual([
		...['/usr/bin/env', '-u', 'LANG', '-u', 'TMUX', '-u', 'TMUX_PANE', '-u', 'TERM_PROGRAM', '-u', 'TERM_PROGRAM_VERSION'],
		...['-u', 'SHELL', '-u', 'PWD', 'PATH=/bin', 'sh'],
	]);
});
