// The commands of `roost asks`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

const json = () => new Option('--json', 'print JSON, for programs');

export function addAskCommands(program: Command): void {
	const asks = program
		.command('asks')
		.description('List pending requests and show what they would do')
		.addHelpText('after', '\nExamples:\n  $ roost asks\n  $ roost asks show k3f9.1');
	asks
		.command('list', { isDefault: true })
		.description('List pending requests with their command, diff or question')
		.option('--all', 'include requests decided recently')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost asks\n  $ roost asks --all --json')
		.action(async (options) => (await import('./asks.ts')).asks(options));
	asks
		.command('show')
		.description('Show a request in full')
		.argument('<ask>', 'request ID or a unique part of it')
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost asks show k3f9.1')
		.action(async (ask, options) => (await import('./asks.ts')).showAsk(ask, options));
}
