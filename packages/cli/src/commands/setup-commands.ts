// Installing roost, its configuration and its devices, as part of the table; the code of each is loaded only when it runs.
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

export function addConfigCommand(program: Command): void {
	program
		.command('config')
		.description('Show the configuration and where each value comes from')
		.option('--port <n>', 'port, as for "roost up"')
		.addOption(json())
		.addHelpText(
			'after',
			'\nNeeds no runner. Secrets are not printed, only that they are set. docs/configuration.md describes every key.\n\nExamples:\n  $ roost config\n  $ roost config --json',
		)
		.action(async (_options, command) => (await import('./config.ts')).config(command.optsWithGlobals()));
}

export function addDeviceCommands(program: Command): void {
	const devices = program
		.command('devices')
		.description('List and revoke the browsers that can act for you')
		.addHelpText('after', '\nExamples:\n  $ roost devices\n  $ roost devices revoke d7x2');
	devices
		.command('list', { isDefault: true })
		.description('List devices')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost devices --json')
		.action(async (options) => (await import('./devices.ts')).listDevices(options));
	devices
		.command('revoke')
		.description('Log a device out and close its connections')
		.argument('[id]', 'device ID or a unique part of it')
		.option('--all', 'revoke all devices, and links that were not used yet')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost devices revoke k3f9\n  $ roost devices revoke --all')
		.action(async (id, options) => (await import('./devices.ts')).revokeDevice(id, options));
}
