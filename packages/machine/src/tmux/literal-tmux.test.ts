// Typed text, arguments and environment values have no special meaning for tmux or a shell.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { hostileStrings as screenStrings } from '@roost/testkit/fakes/hostile-strings';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { createOwnTmux, type OwnTmux } from '@roost/testkit/rigs/terminal/tmux-rig';
import { unwrap, unwrapError } from '@roost/testkit/rigs/unwrap';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import type { TerminalProcess } from '../terminal-process.ts';
import { openTmuxTerminal } from './open-tmux.ts';
import { isRecentEnough } from './run-tmux.ts';
import { openTmux } from './tmux.ts';

const ODD_WORDS = [
	...[
		'',
		' ',
		'a b',
		"it's",
		'"',
		'`x`',
		'$HOME',
		'$(x)',
		';',
		'a;',
		'a\\;',
		'\\',
		'\\\\',
		'a\n  b',
		'\t',
		'#{pid}',
		'#(x)',
		'%if',
	],
	...[
		'~',
		'-',
		'--',
		'-x',
		'{',
		'}',
		'*',
		'?',
		'!',
		'&',
		'|',
		'<',
		'>',
		'\r',
		'\u001b[31m',
		'日本語',
		'👩‍🚀',
		'é',
		'x'.repeat(40_000),
	],
];

describe.skipIf(cannotRun([program('tmux')]))('input to tmux', { timeout: 120_000 }, () => {
	it('arrives literally as arguments and as the exact environment', async () => {
		await using own = await createOwnTmux();
		const canary = join(own.directory, 'canary');
		const words = [...ODD_WORDS, ...hostileStrings(canary).map(({ text }) => text)].filter((word) => !word.includes('\0'));
		const env = {
			PATH: process.env.PATH ?? '',
			...{ SHELL: '/bin/odd', PWD: '/odd', TMUX: 'odd', TERM: 'dumb', HOME: own.directory },
			...Object.fromEntries(words.map((word, at) => [`WORD_${at}`, word])),
		};
		const seen = await reportItself(own, words, env);
		expect(seen.argv).toEqual(words.map(asUtf8));
		const expected = { ...env, TERM: 'screen-256color' };
		expect(seen.env).toEqual(Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, asUtf8(value)])));
		expect(existsSync(canary)).toBe(false);
	});

	it('adds nothing from the server or its starter to an empty environment', async () => {
		await using own = await createOwnTmux();
		expect((await reportItself(own, [], {})).env).toEqual({ TERM: 'screen-256color' });
	});

	it('arrives literally as text, whether sent or typed', async () => {
		await using own = await createOwnTmux();
		const canary = join(own.directory, 'canary');
		const texts = ['C-c;$(x)', 'Enter', 'C-c', 'M-x', '-l', ';', 'a;', ...hostileStrings(canary).map(({ text }) => text)];
		const sent = [...texts, screenStrings().join('')].map((text) => text.replaceAll('\0', ''));
		expect(sent.length).toBeGreaterThan(60);
		const keys = await openKeys(own);
		for (const text of sent) unwrap(await own.tmux.sendText('keys', text));
		expect(await keys.received(sent.join(''))).toEqual(true);
		const plain = texts.filter((text) => /^[\x20-\x7e]+$/.test(text));
		expect(plain.length).toBeGreaterThan(30);
		for (const text of plain) keys.terminal.write(Buffer.from(text));
		expect(await keys.received(sent.join('') + plain.join(''))).toEqual(true);
		expect(existsSync(canary)).toBe(false);
	});

	it('is rejected with a NUL byte', async () => {
		await using own = await createOwnTmux();
		expect(unwrapError(await own.tmux.sendText('keys', 'a\0b'))).toMatchObject({ code: 'bad_request' });
	});
});

describe('tmux program', () => {
	const options = { socketPath: '/never/used', scrollbackLines: 100 };

	it('is reported if missing, with how to install it or do without it', async () => {
		const error = unwrapError(await openTmux({ ...options, env: { PATH: '/nowhere' } }));
		expect(error).toMatchObject({ code: 'cannot_start' });
		expect(error.message).toBe(
			'Terminals that outlive Roost need tmux, which is not on your PATH. Install it ("apt install tmux", "brew install tmux"), or set pty.useTmux to false in config.yaml.',
		);
	});

	it('is rejected when it is too old, and when it does not run', async () => {
		await using temp = await createTempDir();
		const install = (script: string) => writeFile(join(temp.path, 'tmux'), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
		await install('echo tmux 2.9a');
		expect(unwrapError(await openTmux({ ...options, env: { PATH: temp.path } })).message).toMatch(
			/^tmux 2\.9a is too old: Roost needs 3\.2/,
		);
		await install('echo broken >&2; exit 1');
		expect(unwrapError(await openTmux({ ...options, env: { PATH: temp.path } })).message).toBe('tmux refused: broken.');
	});

	it.each([
		['tmux 3.2', true],
		['tmux 3.3a', true],
		['tmux 4.0', true],
		['tmux next-3.6', true],
		['tmux openbsd-7.5', true],
		['tmux master', true],
		['tmux 3.1c', false],
		['tmux 2.9a', false],
	])('accepts the version %s: %s', (text, expected) => {
		expect(isRecentEnough(text)).toBe(expected);
	});
});

async function reportItself(own: OwnTmux, words: readonly string[], env: Record<string, string>) {
	const report = join(own.directory, 'report.json');
	const lines = `require('fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify({ argv: process.argv.slice(1), env: process.env }))`;
	const size = { cols: 80, rows: 24 };
	const argv = [process.execPath, '-e', lines, '--', ...words] as const;
	const opened = unwrap(
		await openTmuxTerminal({ tmux: own.tmux, name: 'report', program: { argv, cwd: own.directory, env, size } }),
	);
	const ended = Promise.withResolvers<unknown>();
	opened.onExit(ended.resolve);
	expect(await ended.promise).toEqual({ exitCode: 0 });
	const seen: { argv: string[]; env: Record<string, string> } = JSON.parse(await readFile(report, 'utf8'));
	return seen;
}

/** A program that records every byte it receives. */
async function openKeys(own: OwnTmux): Promise<{ terminal: TerminalProcess; received(text: string): Promise<boolean> }> {
	const log = join(own.directory, 'keys');
	const lines = `process.stdin.setRawMode(true); const fs = require('fs');
		process.stdin.on('data', (chunk) => fs.appendFileSync(${JSON.stringify(log)}, chunk)); fs.writeFileSync(${JSON.stringify(log)}, '')`;
	const program = { argv: [process.execPath, '-e', lines], cwd: own.directory, env: {}, size: { cols: 80, rows: 24 } } as const;
	const terminal = unwrap(await openTmuxTerminal({ tmux: own.tmux, name: 'keys', program }));
	terminal.onBytes(() => undefined);
	await waitFor(() => existsSync(log) || undefined, { what: 'the program to listen' });
	return {
		terminal,
		async received(text) {
			const expected = Buffer.from(text);
			const got = await waitFor(
				async () => {
					const bytes = await readFile(log);
					return bytes.length >= expected.length ? bytes : undefined;
				},
				{
					what: `${expected.length} bytes`,
					seen: async () => firstDifference(await readFile(log), expected),
				},
			);
			return got.equals(expected);
		},
	};
}

function firstDifference(got: Buffer, expected: Buffer): string {
	const at = expected.findIndex((byte, index) => got[index] !== byte);
	return `${got.length} bytes, at ${at} ${JSON.stringify(got.toString('utf8', at - 20, at + 20))} for ${JSON.stringify(expected.toString('utf8', at - 20, at + 20))}`;
}

/** Half a character has no byte representation. */
function asUtf8(text: string): string {
	return Buffer.from(text).toString('utf8');
}
