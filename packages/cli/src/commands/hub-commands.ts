// The commands around a hub: running one, joining one, and reaching its runners.
import { type CommandDefinition, command, repeated } from './define-command.ts';

export const HUB_COMMANDS: readonly CommandDefinition[] = [
	command('hub', 'Run a hub that your runners connect to', {
		examples: ['roost hub', 'roost hub --host 0.0.0.0 --url https://hub.example.com --behind-proxy'],
		commands: [
			command('start', 'Run the hub in the foreground', {
				isDefault: true,
				json: false,
				options: [
					['--port <n>', 'port to listen on (default: 4100)'],
					['--host <address>', 'address to listen on (default: 127.0.0.1)'],
					repeated('--url <address>', 'address at which others reach it; can be repeated'),
					['--behind-proxy', 'a proxy ends TLS'],
					['--tls-cert <file>', 'TLS certificate with its chain, as PEM'],
					['--tls-key <file>', 'private key of the certificate, as PEM'],
					['--insecure-http', 'allow plain HTTP beyond this machine: others can read and change it'],
					['--json-logs', 'log as JSON lines'],
				],
				notes: 'Everything is kept in one file below ROOST_HOME, or in Postgres with hub.database in config.yaml.',
				examples: ['roost hub --port 4100'],
				run: async () => (await import('./hub.ts')).runHub,
			}),
			command('invite', 'Print a link that pairs a machine or a browser', {
				options: [
					['--user <name>', 'whom to invite (default: yourself)'],
					repeated('--role <role>', 'role of a new person, such as viewer or approver@laptop; can be repeated'),
					['--qr', 'also print the link as a QR code'],
				],
				examples: ['roost hub invite', 'roost hub invite --user lea --role operator'],
				run: async () => (await import('./hub-admin.ts')).invite,
			}),
			command('people', 'List people, their roles and their devices', {
				examples: ['roost hub people'],
				run: async () => (await import('./hub-admin.ts')).people,
			}),
			command('grant', 'Replace the roles of a person', {
				args: [
					['<user>', 'name of the person'],
					['[roles...]', 'viewer, operator, approver, admin or owner, on all runners or as role@runner'],
				],
				notes:
					'Nobody at the hub has power over a machine that its owner did not allow: see hub.accepts in docs/configuration.md.',
				examples: ['roost hub grant lea operator approver@laptop', 'roost hub grant lea'],
				run: async () => (await import('./hub-admin.ts')).grant,
			}),
			command('revoke', 'Revoke a runner and close its connection', {
				args: [['<runner>', 'name or ID of the runner']],
				examples: ['roost hub revoke laptop'],
				run: async () => (await import('./hub-admin.ts')).revokeRunner,
			}),
			command('commands', 'List commands on their way to runners', {
				examples: ['roost --hub https://hub.example.com hub commands'],
				run: async () => (await import('./hub-admin.ts')).listCommands,
			}),
			command('cancel', 'Cancel a command that was not delivered yet', {
				args: [['<id>', 'command ID or a unique part of it']],
				examples: ['roost hub cancel 3f9a'],
				run: async () => (await import('./hub-admin.ts')).cancelCommand,
			}),
			command('audit', 'Print what people changed on the hub', {
				examples: ['roost hub audit --json'],
				run: async () => (await import('./hub-admin.ts')).audit,
			}),
		],
	}),
	command('join', "Pair this machine's runner with a hub", {
		args: [['<link>', 'link that the hub printed, in quotes']],
		options: [['--name <name>', 'name of this machine at the hub (default: its host name)']],
		notes: 'Also pairs the roost command of this machine, as a device of yours that the runner trusts.',
		examples: ["roost join 'https://hub.example.com/join#code=…&key=…'"],
		run: async () => (await import('./join.ts')).join,
	}),
	command('leave', 'End the pairing with the hub', {
		examples: ['roost leave'],
		run: async () => (await import('./join.ts')).leave,
	}),
	command('runners', 'List runners, and whether they are online', {
		options: [['--keys', 'fingerprints of their keys, to compare with those on their machines']],
		notes:
			'Terminals through a hub are sealed with the key of the runner. It is kept when it is first used, and a changed key is refused.',
		examples: ['roost --hub https://hub.example.com runners', 'roost --hub https://hub.example.com runners --keys'],
		run: async () => (await import('./runners.ts')).listRunners,
	}),
];
