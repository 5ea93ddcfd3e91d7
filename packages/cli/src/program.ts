// The program: its commands, its help, and the terminal UI where no command is named.
import { sanitiseBlock } from '@roost/core/display/sanitise';
import { VERSION } from '@roost/home/version';
import { Command } from 'commander';
import { AGENT_COMMANDS, RUN_COMMANDS } from './commands/agent-commands.ts';
import { DECISION_COMMANDS } from './commands/decision-commands.ts';
import { addCommand } from './commands/define-command.ts';
import { HUB_COMMANDS } from './commands/hub-commands.ts';
import { SESSION_COMMANDS } from './commands/session-commands.ts';
import { SETUP_COMMANDS } from './commands/setup-commands.ts';
import { complete } from './completion/complete.ts';
import { COMPLETE_COMMAND } from './completion/scripts.ts';
import { setTarget } from './hub/target.ts';
import { addHelp, refuseExcess, unknownCommand } from './output/command-help.ts';
import { reportErrors } from './output/exit.ts';

/** In the order of the help. */
const COMMANDS = [
	...RUN_COMMANDS,
	...SESSION_COMMANDS,
	...DECISION_COMMANDS,
	...AGENT_COMMANDS,
	...HUB_COMMANDS,
	...SETUP_COMMANDS,
];

/** Started, installed or verified on a machine itself. */
const HERE_ONLY: ReadonlySet<string> = new Set([
	...RUN_COMMANDS.map(({ name }) => name).filter((name) => name !== 'run'),
	...['hooks', 'export', 'verify', 'hub start', 'join', 'leave', 'web', 'install', 'uninstall', 'config', 'doctor', 'up', 'down'],
]);

function commandPath(command: Command): string {
	const { parent } = command;
	return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

/** If the first word names a command, only that one is added; help, completion and errors need all of them. */
export function createProgram(first: string): Command {
	const program = new Command('roost')
		.description('The governed control plane for coding agents')
		.version(VERSION)
		.option('--enforce', 'block every call that was not explicitly allowed (default: observe)')
		.option('--theme <name>', 'dark, light or high-contrast')
		.option('--ascii', 'no glyphs beyond ASCII')
		.option('--hub <url>', 'act on a runner behind this hub')
		.option('--runner <name>', 'which runner of the hub: its name or ID')
		.hook('preAction', (root, called) => {
			setTarget(root.opts());
			const name = commandPath(called);
			if (root.opts().hub !== undefined && HERE_ONLY.has(name))
				root.error(`error: "roost ${name}" acts on this machine only. Run it there, without --hub.`);
		})
		.enablePositionalOptions()
		.exitOverride()
		// The text may repeat user input.
		.configureOutput({ writeErr: (text) => void process.stderr.write(sanitiseBlock(text)) })
		.addHelpText(
			'after',
			'\nStart here:\n  $ roost demo                see scripted agents at work; needs no key and no agent\n  $ roost claude              run your own Claude Code, on record',
		)
		.allowExcessArguments()
		.action(async (options, { args: [unknown] }) => {
			if (unknown !== undefined) program.error(unknownCommand(program, unknown));
			const { openTui } = await import('./commands/show-tui.ts');
			await reportErrors({}, () => openTui(options));
		});
	const named = COMMANDS.filter(({ name }) => name === first);
	for (const definition of named.length > 0 ? named : COMMANDS) addCommand(program, definition);
	addCompletion(program);
	addHelp(program);
	refuseExcess(program);
	return program;
}

/** The completion scripts call it. */
function addCompletion(program: Command): void {
	program
		.command(COMPLETE_COMMAND, { hidden: true })
		.argument('[words...]')
		.action((words: string[]) => {
			const lines = complete(program, words).map(({ value, help }) => `${value}\t${help}\n`);
			process.stdout.write(lines.join(''));
		});
}
