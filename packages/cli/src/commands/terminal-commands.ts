// The commands for the runner's terminals, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

export function addTerminalCommands(program: Command): void {
	program
		.command('terminals')
		.description('List terminals of the runner')
		.addOption(new Option('--json', 'print JSON, for programs'))
		.addHelpText('after', '\nExample:\n  $ roost terminals')
		.action(async (options) => (await import('./terminals.ts')).terminals(options));
	program
		.command('attach')
		.description('Attach to a terminal of the runner, or of a session')
		.argument('[terminal]', 'terminal or session ID, or a unique beginning of it')
		.option('--view', 'watch without typing')
		.option('--take', 'take control from the current viewer')
		.option('--new', 'open your shell in a new terminal, in this folder')
		.option('--record', 'record the output, secrets included, to a file; with --new or a session')
		.addHelpText(
			'after',
			'\nCtrl-] twice detaches; the terminal keeps running. Ctrl-] and then t takes control.\n\nExamples:\n  $ roost terminals\n  $ roost attach --new\n  $ roost attach k3f9\n  $ roost attach k3f9 --view\n  $ roost attach k3f9 --record',
		)
		.action(async (terminal, options) => (await import('./attach.ts')).attach(terminal, options));
}
