// The commands that make roost a command of its user, and the one that shells ask for completions.
import { type Command, Option } from 'commander';
import { complete } from '../completion/complete.ts';
import { COMPLETE_COMMAND } from '../completion/scripts.ts';

const json = () => new Option('--json', 'print JSON, for programs');

export function addInstallCommands(program: Command): void {
	program
		.command('install')
		.description('Install the roost command and shell completions')
		.argument('[folder]', 'folder for the command (default: ~/.local/bin)')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ ./roost install\n  $ ./roost install ~/bin')
		.action(async (folder, options) => (await import('./install.ts')).install(folder, options));
	program
		.command('uninstall')
		.description('Remove the roost command and shell completions')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost uninstall')
		.action(async (options) => (await import('./install.ts')).uninstall(options));
	program
		.command(COMPLETE_COMMAND, { hidden: true })
		.argument('[words...]')
		.action((words: string[]) => {
			const lines = complete(program, words).map(({ value, help }) => `${value}\t${help}\n`);
			process.stdout.write(lines.join(''));
		});
}
