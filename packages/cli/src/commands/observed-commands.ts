// The user's own agents as commands.
import { AGENT_NAMES } from '@roost/agents/base/agent-names';
import type { Command } from 'commander';

/** Each with its command. */
export const OBSERVED_COMMANDS: readonly (readonly [names: readonly string[], add: (program: Command) => void])[] =
	AGENT_NAMES.filter(({ once }) => once !== null).map((agent) => [[agent.id], (program) => addObservedCommand(program, agent)]);

function addObservedCommand(program: Command, { id, title, once }: (typeof AGENT_NAMES)[number]): void {
	program
		.command(id)
		.description(`Run your own ${title} in this terminal, on record`)
		.argument('[args...]', `arguments for ${id}`)
		.option('--enforce', 'block every call that was not explicitly allowed')
		.allowUnknownOption()
		.passThroughOptions()
		.addHelpText(
			'after',
			`\nExamples:\n  $ roost ${id}\n  $ roost ${id} ${once}\n  $ roost ${id} --enforce\n  $ roost ${id} -- --help    help of ${id} itself`,
		)
		.action(async (args, _options, command) => (await import('./launch.ts')).launch(id, ...launchArgs(args, command)));
}

/** What the agent gets, and whether Roost is the gate: `--enforce` may stand before the agent or among its arguments. */
function launchArgs(given: readonly string[], command: Command): [args: readonly string[], { enforce: boolean }] {
	const { args, enforce } = takeEnforce(given, process.argv);
	return [args, { enforce: enforce || command.optsWithGlobals().enforce === true }];
}

/** `raw`: the whole command line. The parser takes a first "--" away, and everything behind it is the agent's. */
export function takeEnforce(args: readonly string[], raw: readonly string[]): { args: readonly string[]; enforce: boolean } {
	if (raw.at(-args.length - 1) === '--') return { args, enforce: false };
	const end = args.indexOf('--');
	const options = end < 0 ? args : args.slice(0, end);
	const kept = options.filter((arg) => arg !== ENFORCE);
	return { args: [...kept, ...args.slice(options.length)], enforce: kept.length < options.length };
}

const ENFORCE = '--enforce';
