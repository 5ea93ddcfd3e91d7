import { expect, it } from 'vitest';
import { toSessionWords } from './session-words.ts';

it('never lets a value of the environment be an argument, unless tmux would set it itself', () => {
	const env = { API_KEY: 'secret', PATH: '/bin', TERM: 'xterm' };
	const words = toSessionWords('bill', { argv: ['sh'], cwd: '/', env, size: { cols: 80, rows: 24 } }, ['LANG', 'API_KEY']);
	const command = words.slice(words.indexOf('--') + 1);
	expect(words.slice(0, words.indexOf('--'))).toContain('API_KEY=secret');
	expect(command).toEqual([
		...['/usr/bin/env', '-u', 'LANG', '-u', 'TMUX', '-u', 'TMUX_PANE', '-u', 'TERM_PROGRAM', '-u', 'TERM_PROGRAM_VERSION'],
		...['-u', 'SHELL', '-u', 'PWD', 'PATH=/bin', 'sh'],
	]);
});
