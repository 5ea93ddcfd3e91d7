// Every command that the help and the docs suggest can be run as written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from './program.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe('suggested command', () => {
	it('parses in the examples of every command', () => {
		const examples = allCommands(createProgram('')).flatMap((command) => commandsIn(helpOf(command), /^ {2}\$ (roost\b.*)$/gm));
		expect(examples.length).toBeGreaterThan(100);
		expect(examples.flatMap(findFault)).toEqual([]);
	});

	it.each(['README.md', 'docs/guide.md'])('parses in the code blocks of %s', (file) => {
		const blocks = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(
			([, block = '']) => block,
		);
		const commands = commandsIn(blocks.join('\n'), /^.*?(?<![\w.])(?:\.\/)?(roost\b.*)$/gm);
		expect(commands.length).toBeGreaterThan(10);
		expect(commands.flatMap(findFault)).toEqual([]);
	});

	it('is reported if it does not parse', () => {
		expect(findFault('roost feed')).toEqual([expect.stringContaining('missing required argument')]);
		expect(findFault('roost rules ad allow')).toEqual([expect.stringContaining('unknown command')]);
		expect(findFault('roost asks --colour')).toEqual([expect.stringContaining('unknown option')]);
	});
});

/** Without shell operators, and without the explanation after two spaces. */
function commandsIn(text: string, pattern: RegExp): string[] {
	return [...text.matchAll(pattern)].map(([, line = '']) => line.split(/ {2,}| [|>]/)[0] ?? '');
}

function findFault(line: string): string[] {
	const [, ...words] = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
	const program = createProgram('');
	for (const command of allCommands(program)) {
		command.action(() => {}).configureOutput({ writeErr: () => {}, writeOut: () => {} });
		command.exitOverride();
	}
	// The program itself accepts any word, to report unknown commands.
	program.action((_options, { args: [unknown] }: Command) => {
		if (unknown) program.error(`error: unknown command '${unknown}'`);
	});
	try {
		program.parse(words, { from: 'user' });
		return [];
	} catch (error) {
		const fault = error instanceof Error ? error.message : String(error);
		return /outputHelp|helpDisplayed/.test(fault) ? [] : [`${line}: ${fault}`];
	}
}

function allCommands(command: Command): Command[] {
	return [command, ...command.commands.flatMap(allCommands)];
}

function helpOf(command: Command): string {
	let text = '';
	command.configureOutput({
		writeOut: (part) => {
			text += part;
		},
	});
	command.outputHelp();
	return text;
}
