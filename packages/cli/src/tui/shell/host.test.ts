import { join } from 'node:path';
import { inlineArgv } from '@roost/testkit/rigs/program';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { KEYS, openTui } from '@roost/testkit/rigs/tui/tui-rig';
import { describe, expect, it } from 'vitest';

/** Prints the names of received keys; keys of one chunk on one line. */
const ECHO = inlineArgv(`
	import { openHost } from ${JSON.stringify(join(import.meta.dirname, 'host.ts'))};
	const { stdin, stdout } = process;
	const heard = [];
	let soon;
	openHost({
		stdin,
		stdout,
		onKey: ({ name, text }) => {
			heard.push(text === '' || text === name ? name : name + '=' + JSON.stringify(text));
			clearImmediate(soon);
			soon = setImmediate(() => stdout.write('\\r\\x1b[K' + heard.join(' ') + ' #' + heard.length));
		},
		onSize: ({ columns, rows }) => stdout.write(columns + 'x' + rows),
	});
	const waiting = setInterval(() => {
		if (!stdin.isRaw) return;
		clearInterval(waiting);
		stdout.write(' ready');
	}, 5);
`);

async function receive(env: Record<string, string>, ...pieces: string[]): Promise<string> {
	await using temp = await createTempDir();
	await using tui = openTui({ cwd: temp.path, env, columns: 300, rows: 5, argv: ECHO });
	await tui.waitForScreen(/300x5 ready/);
	let screen = '';
	for (const [index, piece] of pieces.entries()) {
		tui.type(piece);
		screen = await tui.waitForScreen((text) => Number(/#(\d+)\n/.exec(text)?.[1]) > index);
	}
	return screen.trim().replace(/ #\d+$/, '');
}

describe('keys read by the host', () => {
	it('have the names used in keymaps', async () => {
		const { up, down, left, right, home, end, pageUp, pageDown, enter, tab, shiftTab, altEnter, backspace, ctrl, alt } = KEYS;
		const keys = [up, down, left, right, home, end, pageUp, pageDown, KEYS.delete, enter, tab, shiftTab, altEnter, backspace];
		expect(await receive({}, ...keys, ctrl('d'), ctrl('u'), alt('b'), alt(backspace), 'j', 'G', ' ', '\n', KEYS.escape)).toBe(
			'up down left right home end pgup pgdn delete enter tab shift+tab alt+enter backspace ' +
				'ctrl+d ctrl+u alt+b alt+backspace j G space=" " ctrl+j esc',
		);
	});

	it.each([
		['screen-256color in tmux', 'screen-256color', ['\x1bOA', '\x1bOB', '\x1b[1~', '\x1b[4~', '\x1b[Z']],
		['xterm in application mode', 'xterm', ['\x1bOA', '\x1bOB', '\x1bOH', '\x1bOF', '\x1b[Z']],
		['rxvt', 'rxvt', ['\x1b[A', '\x1b[B', '\x1b[7~', '\x1b[8~', '\x1b[Z']],
		['the Linux console', 'linux', ['\x1b[A', '\x1b[B', '\x1b[1~', '\x1b[4~', '\x1b[Z']],
	])('are the same from %s', async (_, TERM, keys) => {
		expect(await receive({ TERM }, ...keys)).toBe('up down home end shift+tab');
	});

	it('keep the modifiers Ctrl, Alt and Shift', async () => {
		expect(await receive({}, '\x1b[1;5C', '\x1b[1;3D', '\x1b[1;2A', '\x1b[5;5~')).toBe('ctrl+right alt+left shift+up ctrl+pgup');
	});

	it('are reported one by one when they arrive in one chunk', async () => {
		expect(await receive({}, 'jjé\r')).toBe('j j é enter');
	});

	it('are two Esc keys when two arrive at once', async () => {
		expect(await receive({}, '\x1b\x1b')).toBe('esc esc');
	});

	it('are reported three times per wheel step', async () => {
		expect(await receive({}, KEYS.wheelDown)).toBe('wheel-down wheel-down wheel-down');
	});

	it('include pasted text as one key, with newlines and control sequences', async () => {
		expect(await receive({}, KEYS.paste('one\rtwo\x1b[A q'))).toBe('paste="one\\rtwo\\u001b[A q"');
	});

	it('do not include terminal responses', async () => {
		expect(await receive({}, '\x1b]52;c;cXVpdA==\x07\x1b[24;80R\x1b[?62;c\x1b]11;rgb:0/0/0\x1b\\k')).toBe('k');
	});
});
