// The commands of `roost hooks`, as part of the table; their code is loaded only when one runs.
import { DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { type Command, Option } from 'commander';

export function addHooksCommands(program: Command): void {
	const json = () => new Option('--json', 'print JSON, for programs');
	const agent = () => new Option('--agent <agent>', `agent to record (default: ${DEFAULT_AGENT})`).choices(OBSERVED_IDS);
	const hooks = program
		.command('hooks')
		.description('Record every agent started in this project')
		.addHelpText('after', '\nExamples:\n  $ roost hooks install\n  $ roost hooks install --agent codex\n  $ roost hooks status');
	hooks
		.command('install')
		.description('Install hooks that report an agent in this project')
		.addOption(agent())
		.option('--yes', 'do not ask for confirmation')
		.option('--diff', 'show the whole change')
		.addOption(json())
		.addHelpText('after', '\nExamples:\n  $ roost hooks install\n  $ roost hooks install --agent codex')
		.action(async (options) => (await import('./hooks.ts')).installHooks(options));
	hooks
		.command('uninstall')
		.description('Remove the hooks')
		.addOption(agent())
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost hooks uninstall')
		.action(async (options) => (await import('./hooks.ts')).uninstallHooks(options));
	hooks
		.command('status', { isDefault: true })
		.description('Show whether hooks are installed and unchanged')
		.addOption(new Option('--agent <agent>', 'only this agent (default: all)').choices(OBSERVED_IDS))
		.addOption(json())
		.addHelpText('after', '\nExample:\n  $ roost hooks status --json')
		.action(async (options) => (await import('./hooks.ts')).hooksStatus(options));
}
