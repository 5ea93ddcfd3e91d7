// The commands of `roost devices`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

export function addDeviceCommands(program: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
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
