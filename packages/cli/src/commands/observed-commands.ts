// The user's own agents other than Claude, as commands: what each is called, and how it runs once without a terminal.
import type { Command } from 'commander';

const AGENTS = [
	{ agent: 'codex', name: 'Codex', once: 'exec "explain this repository"' },
	{ agent: 'copilot', name: 'Copilot', once: '-p "explain this repository"' },
	{ agent: 'pi', name: 'Pi', once: '-p "explain this repository"' },
] as const;

export function addObservedCommands(program: Command): void {
	for (const { agent, name, once } of AGENTS) {
		program
			.command(agent)
			.description(`Run your own ${name} in this terminal, on record`)
			.argument('[args...]', `arguments for ${agent}`)
			.option('--enforce', 'block every call that was not explicitly allowed')
			.allowUnknownOption()
			.passThroughOptions()
			.addHelpText(
				'after',
				`\nExamples:\n  $ roost ${agent}\n  $ roost ${agent} ${once}\n  $ roost ${agent} --enforce\n  $ roost ${agent} -- --help    help of ${agent} itself`,
			)
			.action(async (args, _options, command) => (await import('./launch.ts')).observed(agent, ...launchArgs(args, command)));
	}
}

/** What the agent gets, and whether Roost is the gate: `--enforce` may stand before the agent or among its arguments. */
export function launchArgs(given: readonly string[], command: Command): [args: readonly string[], { enforce: boolean }] {
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
