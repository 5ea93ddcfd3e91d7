// The commands `roost allow` and `roost deny`, as part of the table; their code is loaded only when one runs.
import { type Command, Option } from 'commander';

const ALLOW_HELP = `
Without --pattern, --always makes one rule for each part of a shell line that no
rule covers yet, and prints them.

Examples:
  $ roost allow k3f9.1
  $ roost allow k3f9.1 --always project
  $ roost allow k3f9.1 --always project --pattern "npm test *"
  $ roost allow k3f9.1 --for 30m`;

export function addDecideCommands(program: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
	const always = () => new Option('--always <scope>', 'also make a rule: session, project or user');
	const duration = () => new Option('--for <duration>', 'make a rule that expires, such as 30m (default scope: session)');
	const pattern = () =>
		new Option('--pattern <glob>', 'argument pattern of the rule; repeat it for more rules').argParser(
			(glob: string, all: string[] | undefined) => [...(all ?? []), glob],
		);
	program
		.command('allow')
		.description('Approve a request')
		.argument('<ask>', 'request ID or a unique part of it')
		.addOption(always())
		.addOption(duration())
		.addOption(pattern())
		.option('--input <json>', 'run the call with this input instead')
		.addOption(json())
		.addHelpText('after', ALLOW_HELP)
		.action(async (ask, options) => (await import('./decide.ts')).allow(ask, options));
	program
		.command('deny')
		.description('Deny a request')
		.argument('<ask>', 'request ID or a unique part of it')
		.option('--message <text>', 'reason, sent to the agent')
		.option('--interrupt', 'also stop the current run')
		.addOption(always())
		.addOption(duration())
		.addOption(pattern())
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost deny k3f9.1 --message "use the scratch folder"')
		.action(async (ask, options) => (await import('./decide.ts')).deny(ask, options));
}
