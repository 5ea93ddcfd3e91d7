// `roost config`, as part of the table; its code is loaded only when it runs.
import { type Command, Option } from 'commander';

export function addConfigCommand(program: Command): void {
	program
		.command('config')
		.description('Show the configuration and where each value comes from')
		.option('--port <n>', 'port, as for "roost up"')
		.addOption(new Option('--json', 'print JSON, for programs'))
		.addHelpText(
			'after',
			'\nNeeds no runner. Secrets are not printed, only that they are set. docs/configuration.md describes every key.\n\nExamples:\n  $ roost config\n  $ roost config --json',
		)
		.action(async (_options, command) => (await import('./config.ts')).config(command.optsWithGlobals()));
}
