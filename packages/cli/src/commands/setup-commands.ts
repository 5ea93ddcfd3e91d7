// The commands for this installation: devices, the command itself, the configuration and the runner.
import { Option } from 'commander';
import { type CommandDefinition, command } from './define-command.ts';

const TRUST_NOTES =
	'Compare the ID with the one on the screen of the device. A browser runs the page that the hub serves, so trust a program where you can.';

export const SETUP_COMMANDS: readonly CommandDefinition[] = [
	command('web', 'Open Roost in your browser', {
		notes: 'Starts a runner if none is up. Without a desktop it prints a one-time link, valid for 30 seconds.',
		examples: ['roost web'],
		run: async () => (await import('./web.ts')).web,
	}),
	command('devices', 'Manage the devices that can act for you', {
		examples: ['roost devices', 'roost devices revoke d7x2'],
		commands: [
			command('list', 'List devices', {
				isDefault: true,
				options: [['--trusted', 'only devices whose signed commands are accepted through a hub']],
				examples: ['roost devices --json', 'roost devices --trusted'],
				run: async () => (await import('./devices.ts')).listDevices,
			}),
			command('revoke', 'Log a device out and close its connections', {
				args: [['[id]', 'device ID or a unique part of it']],
				options: [['--all', 'revoke all devices, and links that were not used yet']],
				examples: ['roost devices revoke k3f9', 'roost devices revoke --all'],
				run: async () => (await import('./devices.ts')).revokeDevice,
			}),
			command('trust', 'Accept commands that a device signs, through a hub', {
				args: [['<id>', 'device ID']],
				options: [
					['--key <key>', 'public key of the device'],
					['--name <name>', 'name to list it with'],
					['--user <user>', 'user on the hub that it belongs to'],
					['--page', 'a browser; it may not change rules, plugins and servers'],
				],
				notes: TRUST_NOTES,
				examples: ['roost devices trust kq7h2m5xw4rdahvb --key 3q2-7w… --name phone --user lea'],
				run: async () => (await import('./trusted-devices.ts')).trustDevice,
			}),
			command('untrust', 'Refuse commands that a device signs', {
				args: [['<id>', 'device ID or a unique part of it']],
				examples: ['roost devices untrust kq7h'],
				run: async () => (await import('./trusted-devices.ts')).untrustDevice,
			}),
		],
	}),
	command('install', 'Install the roost command and shell completions', {
		args: [['[folder]', 'folder for the command (default: ~/.local/bin)']],
		examples: ['./roost install', './roost install ~/bin'],
		run: async () => (await import('./install.ts')).install,
	}),
	command('uninstall', 'Remove the roost command and shell completions', {
		examples: ['roost uninstall'],
		run: async () => (await import('./install.ts')).uninstall,
	}),
	command('config', 'Show the configuration and where each value comes from', {
		options: [['--port <n>', 'port, as for "roost up"']],
		globals: true,
		notes: 'Needs no runner. Secrets are not printed, only that they are set. docs/configuration.md describes every key.',
		examples: ['roost config', 'roost config --json'],
		run: async () => (await import('./config.ts')).config,
	}),
	command('doctor', 'Diagnose problems and suggest fixes', {
		examples: ['roost doctor'],
		run: async () => (await import('./doctor.ts')).doctor,
	}),
	command('up', 'Run the runner in the foreground', {
		options: [
			['--detach', 'run in the background'],
			['--port <n>', 'port to listen on'],
			['--json-logs', 'log as JSON lines'],
			new Option('--end-when-idle').hideHelp(),
		],
		notes: 'Prints a one-time login link for a browser, valid for 30 seconds. "roost status --link" prints a new one.',
		examples: ['roost up', 'roost up --detach', 'roost up --json-logs > runner.jsonl'],
		run: async () => (await import('./runner.ts')).up,
	}),
	command('down', 'Stop the runner', {
		options: [['--force', 'do not ask, even while enforced sessions are running']],
		examples: ['roost down', 'roost down --force'],
		run: async () => (await import('./runner.ts')).down,
	}),
	command('status', 'Show runner status', {
		options: [
			['--link', 'also print a one-time login link for a browser, valid for 30 seconds'],
			['--qr', 'print the link as a QR code, for a phone'],
		],
		examples: ['roost status --json', 'roost status --link', 'roost status --link --qr'],
		run: async () => (await import('./status.ts')).status,
	}),
];
