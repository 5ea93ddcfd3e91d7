// The commands of `roost sessions`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';
import { addDrivingCommands } from './driving-commands.ts';

const json = () => new Option('--json', 'print JSON, for programs');

export function addSessionCommands(program: Command): void {
	const sessions = program
		.command('sessions')
		.description('sessions on record: list them, look at one, write to it, name it, put it away');
	sessions
		.command('list', { isDefault: true })
		.description('those of this project, newest first')
		.option('--all', 'of every project, not only this one')
		.option('--archived', 'also those that were put away')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost sessions --all\n  $ roost sessions --archived')
		.action(async (options) => (await import('./sessions.ts')).sessions(options));
	sessions
		.command('show')
		.description('one session, and what its agent does right now')
		.argument('<session>', 'its id, or the beginning of it')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions show k3f9')
		.action(async (session, options) => (await import('./show-session.ts')).showSession(session, options));
	sessions
		.command('rename')
		.description('give a session another title')
		.argument('<session>', 'its id, or the beginning of it')
		.argument('<title...>', 'what it shall be called')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions rename k3f9 "The slow login"')
		.action(async (session, title, options) => (await import('./shelf.ts')).renameSession(session, title, options));
	sessions
		.command('archive')
		.description('put a session away: lists leave it out, and nothing of it is lost')
		.argument('<session>', 'its id, or the beginning of it')
		.option('--undo', 'take it out again')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost sessions archive k3f9\n  $ roost sessions archive k3f9 --undo')
		.action(async (session, options) => (await import('./shelf.ts')).archiveSession(session, options));
	addDrivingCommands(sessions);
}
