// The commands of `roost sessions` for those that Roost drives, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

const json = () => new Option('--json', 'print JSON, for programs');
const ITS_ID = 'session ID or a prefix of it';

export function addDrivingCommands(sessions: Command): void {
	sessions
		.command('send')
		.description('Send a prompt; it is queued while the agent is busy')
		.argument('<session>', ITS_ID)
		.argument('<prompt...>', 'the prompt')
		.option('--now', 'send it into the current run instead of queueing it')
		.addOption(json())
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost sessions send k3f9 "and now the tests"\n  $ roost sessions send k3f9 --now "not that file"',
		)
		.action(async (session, prompt, options) => (await import('./drive-session.ts')).sendPrompt(session, prompt, options));
	sessions
		.command('queue')
		.description('List queued prompts; edit, move or cancel one')
		.argument('<session>', ITS_ID)
		.argument('[text...]', 'with --edit: the new prompt')
		.option('--edit <prompt>', 'replace the text of this prompt')
		.option('--move <prompt>', 'move this prompt')
		.option('--to <place>', 'with --move: the place it gets, from 1 (default: 1)')
		.option('--cancel <prompt>', 'cancel this prompt')
		.addOption(json())
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost sessions queue k3f9\n  $ roost sessions queue k3f9 --edit p7x2 "run the tests, too"\n  $ roost sessions queue k3f9 --move p7x2 --to 1\n  $ roost sessions queue k3f9 --cancel p7x2',
		)
		.action(async (session, text, options) => (await import('./queue.ts')).queue(session, text, options));
	sessions
		.command('set')
		.description('Change the model or the permission mode of a session')
		.argument('<session>', ITS_ID)
		.option('--model <model>', 'model to use from now on')
		.option('--permission-mode <mode>', 'permission mode of the agent from now on')
		.addOption(json())
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost sessions set k3f9 --model opus\n  $ roost sessions set k3f9 --permission-mode plan',
		)
		.action(async (session, options) => (await import('./drive-session.ts')).adjustSession(session, options));
	sessions
		.command('interrupt')
		.description('Interrupt the agent of a session')
		.argument('<session>', ITS_ID)
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions interrupt k3f9')
		.action(async (session, options) => (await import('./drive-session.ts')).interruptSession(session, options));
	sessions
		.command('end')
		.description('End a session and discard its queue')
		.argument('<session>', ITS_ID)
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost sessions end k3f9')
		.action(async (session, options) => (await import('./drive-session.ts')).endSession(session, options));
	addControlCommands(sessions);
}

function addControlCommands(sessions: Command): void {
	sessions
		.command('fork')
		.description('Fork a session: continue a copy of it')
		.argument('<session>', ITS_ID)
		.option('--at <message>', 'last message to copy: its offset in the feed, or its native_id')
		.addOption(json())
		.addHelpText(
			'after',
			'\nExamples:\n  $ roost sessions fork k3f9\n  $ roost feed k3f9 --kind agent.message --json    list messages\n  $ roost sessions fork k3f9 --at 12',
		)
		.action(async (session, options) => (await import('./drive-session.ts')).forkSession(session, options));
	sessions
		.command('mode')
		.description('Switch a session between a terminal and Roost')
		.argument('<session>', ITS_ID)
		.argument('<mode>', 'pty: in a terminal; sdk: driven by Roost, ends the terminal')
		.option('--record', 'record the terminal, secrets included, to a file; with pty')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost sessions mode k3f9 pty --record\n  $ roost sessions mode k3f9 sdk')
		.action(async (session, mode, options) => (await import('./drive-session.ts')).switchMode(session, mode, options));
}
