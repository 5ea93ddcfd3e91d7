// The user's own agents other than Claude, as commands: what each is called, and how it runs once without a terminal.
import type { Command } from 'commander';

const AGENTS = [
	{ agent: 'codex', once: 'exec "explain this repository"' },
	{ agent: 'copilot', once: '-p "explain this repository"' },
	{ agent: 'pi', once: '-p "explain this repository"' },
] as const;

export function addObservedCommands(program: Command): void {
	for (const { agent, once } of AGENTS) {
		program
			.command(agent)
			.description(`your own ${agent} in this terminal, observed and gated; all arguments pass through`)
			.argument('[args...]', `arguments for ${agent}`)
			.allowUnknownOption()
			.passThroughOptions()
			.addHelpText(
				'after',
				`\nExamples:\n  $ roost ${agent}\n  $ roost ${agent} ${once}\n  $ roost --enforce ${agent}\n  $ roost ${agent} -- --help    help of ${agent} itself`,
			)
			.action(async (args, _options, command) =>
				(await import('./observed.ts')).observed(agent, args, { enforce: command.optsWithGlobals().enforce === true }),
			);
	}
}
