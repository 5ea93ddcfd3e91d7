import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { complete } from './complete.ts';

const program = new Command('tool').option('--strict', 'be strict').enablePositionalOptions();
program
	.command('run')
	.description('Run it')
	.argument('[prompt]')
	.option('--cwd <folder>', 'folder')
	.option('-q, --quiet', 'no output');
const rules = program.command('rules').description('Rules');
rules.command('add').description('Add a rule').addOption(new Option('--secret').hideHelp()).option('--json', 'JSON');
rules.command('remove');
program.command('wrapped').argument('[args...]').allowUnknownOption().passThroughOptions();
program.command('__hidden', { hidden: true });

const values = (...words: string[]) => complete(program, words).map(({ value }) => value);

describe('complete', () => {
	it.each([
		[['r'], ['run', 'rules']],
		[[''], ['run', 'rules', 'wrapped', 'help']],
		[['--'], ['--strict', '--help']],
		[
			['--strict', 'ru'],
			['run', 'rules'],
		],
		[
			['rules', ''],
			['add', 'remove', 'help'],
		],
		[
			['rules', 'add', '--'],
			['--json', '--help'],
		],
		[
			['run', '--'],
			['--cwd', '--quiet', '--help'],
		],
	])('offers after %j: %j', (words, expected) => {
		expect(values(...words)).toEqual(expected);
	});

	it.each([
		['the value of an option', ['run', '--cwd', '']],
		['free text', ['run', '']],
		['a word after free text', ['run', 'some words', 'ru']],
		['arguments of another program', ['wrapped', '-p', 'x', '--']],
		['operands', ['run', '--', '--']],
		['an unknown command', ['nothing', 'ru']],
	])('offers nothing for %s', (_what, words) => {
		expect(values(...words)).toEqual([]);
	});

	it('includes the help text of each suggestion', () => {
		expect(complete(program, ['run', '--q'])).toEqual([{ value: '--quiet', help: 'no output' }]);
		expect(complete(program, ['rules', 'a'])).toEqual([{ value: 'add', help: 'Add a rule' }]);
	});
});
