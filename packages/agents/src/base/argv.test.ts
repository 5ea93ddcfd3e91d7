// Quoted arguments reach a program unchanged, through a shell and through tmux.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostileStrings } from '@roost/testkit/corpora/hostile-strings';
import { hostileStrings as screenStrings } from '@roost/testkit/fakes/hostile-strings';
import { startProgram } from '@roost/testkit/rigs/program';
import { cannotRun, program } from '@roost/testkit/rigs/requirements';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { toTmuxArgument } from '@roost/testkit/rigs/terminal/tmux-rig';
import { waitFor } from '@roost/testkit/rigs/wait-for';
import { describe, expect, it } from 'vitest';
import { quoteArgv } from './argv.ts';

/** Writes its arguments to the file named by the first one. */
const ECHO = "require('fs').writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))";
const ODD = [
	'',
	' ',
	"'",
	"''",
	"a'b'c",
	'\\',
	'\\\\',
	'"',
	'$HOME',
	'!!',
	'~',
	'~/x',
	'*',
	'#',
	'a=b',
	'=ls',
	'-x',
	'%1',
	'a;',
	';',
];
/** System limits: the length of one argument of a shell, and of a message to tmux. */
const MOST = { sh: 100_000, tmux: 12_000 };

describe('quoteArgv', () => {
	it('leaves plain arguments unquoted', () => {
		expect(quoteArgv(['claude', '--model=opus-5.5', '/a/b@c', 'x:y'])).toBe('claude --model=opus-5.5 /a/b@c x:y');
		expect(quoteArgv(['A=b', 'it is', "it's", ''])).toBe(`'A=b' 'it is' 'it'\\''s' ''`);
	});

	it('throws for an argument that contains NUL', () => {
		expect(() => quoteArgv(['a\0b'])).toThrow(TypeError);
	});

	it('passes hostile arguments through a shell unchanged and runs none of them', { timeout: 120_000 }, async () => {
		await using temp = await createTempDir();
		for (const words of inBatches(wordsFor(temp.path), MOST.sh)) {
			const out = join(temp.path, 'out.json');
			const command = quoteArgv([process.execPath, '-e', ECHO, '--', out, ...words]);
			await using child = await startProgram(['sh', '-c', command], { cwd: temp.path, env: {} });
			expect(await child.waitForExit(60_000)).toMatchObject({ code: 0, stderr: '' });
			expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(words);
		}
		expect(existsSync(canaryIn(temp.path))).toBe(false);
	});

	it.skipIf(cannotRun([program('tmux')]))(
		'passes hostile arguments through tmux unchanged and runs none of them',
		{ timeout: 120_000 },
		async () => {
			await using temp = await createTempDir();
			const env = { PATH: process.env.PATH ?? '', HOME: temp.path, LANG: 'C.UTF-8', TERM: 'xterm', SHELL: '/bin/sh' };
			const words = wordsFor(temp.path).filter((word) => Buffer.byteLength(quoteArgv([word])) < MOST.tmux / 2);
			const tmux = async (...args: readonly string[]) => {
				const argv = ['tmux', '-S', join(temp.path, 's'), '-f', '/dev/null', ...args] as const;
				await using child = await startProgram(argv, { cwd: temp.path, env });
				expect(await child.waitForExit(60_000)).toMatchObject({ code: 0, stderr: '' });
			};
			// Keeps the server running after its first session has ended.
			await tmux('start-server', ';', 'set', '-g', 'exit-empty', 'off');
			await using _server = { [Symbol.asyncDispose]: () => tmux('kill-server') };
			for (const [index, batch] of inBatches(words, MOST.tmux).entries()) {
				const out = join(temp.path, `out-${index}.json`);
				const command = quoteArgv([process.execPath, '-e', ECHO, '--', out, ...batch]);
				await tmux('new-session', '-d', '--', toTmuxArgument(command));
				const seen = await waitFor(() => readWhole(out), { what: `the words of batch ${index}` });
				expect(seen).toEqual(batch);
			}
			expect(existsSync(canaryIn(temp.path))).toBe(false);
		},
	);
});

const canaryIn = (directory: string) => join(directory, 'canary');

/** Without lone surrogates, which have no byte representation. */
function wordsFor(directory: string): string[] {
	const words = [...hostileStrings(canaryIn(directory)).map(({ text }) => text), ...screenStrings(), ...ODD];
	return words.filter((word) => !word.includes('\0') && word.isWellFormed());
}

/** Each as large as one command allows. */
function inBatches(words: readonly string[], most: number): string[][] {
	const batches: string[][] = [[]];
	let size = 0;
	for (const word of words) {
		const more = Buffer.byteLength(quoteArgv([word])) + 1;
		if (size > 0 && size + more > most - 1_000) {
			batches.push([]);
			size = 0;
		}
		batches.at(-1)?.push(word);
		size += more;
	}
	return batches;
}

async function readWhole(path: string): Promise<unknown> {
	const text = await readFile(path, 'utf8').catch(() => '');
	return text.endsWith(']') ? JSON.parse(text) : undefined;
}
