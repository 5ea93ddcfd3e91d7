// The commands of `roost sessions`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';
import { addDrivingCommands } from './driving-commands.ts';

const json = () => new Option('--json', 'print JSON, for programs');

export function addSessionCommands(program: Command): void {
	const sessions = program
		.command('sessions')
		.description('List sessions and control those that Roost drives')
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost sessions\n  $ roost sessions show k3f9\n  $ roost sessions send k3f9 "run the tests"',
		);
	sessions
		.command('list', { isDefault: true })
		.description('List sessions of this project, newest first')
		.option('--all', 'list sessions of every project')
		.option('--archived', 'also list archived sessions')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost sessions --all\n  $ roost sessions --archived')
		.action(async (options) => (await import('./sessions.ts')).sessions(options));
	sessions
		.command('show')
		.description('Show a session and its current status')
		.argument('<session>', 'session ID or a prefix of it')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions show k3f9')
		.action(async (session, options) => (await import('./show-session.ts')).showSession(session, options));
	sessions
		.command('rename')
		.description('Rename a session')
		.argument('<session>', 'session ID or a prefix of it')
		.argument('<title...>', 'new title')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions rename k3f9 "The slow login"')
		.action(async (session, title, options) => (await import('./drive-session.ts')).renameSession(session, title, options));
	sessions
		.command('archive')
		.description('Archive a session: hide it from lists')
		.argument('<session>', 'session ID or a prefix of it')
		.option('--undo', 'restore it to the lists')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost sessions archive k3f9\n  $ roost sessions archive k3f9 --undo')
		.action(async (session, options) => (await import('./drive-session.ts')).archiveSession(session, options));
	addDrivingCommands(sessions);
}
