// An argument that a command does not take is refused before the command does anything: words that nobody reads would be lost.
import type { Command } from 'commander';
import { nameOf, unknownCommand } from './command-help.ts';

/** Commander's own check ends with its root command, which must take any word to say that it is no command. */
export function refuseExcess(program: Command): void {
	program.hook('preAction', (_root, command) => {
		const taken = command.registeredArguments;
		const excess = taken.at(-1)?.variadic || command === program ? undefined : command.args[taken.length];
		if (excess === undefined) return;
		const { parent } = command;
		// In a group the word was meant as a command, where the command it got to stands for none.
		if (parent && parent !== program && parent.args[0] !== command.name()) parent.error(unknownCommand(parent, excess));
		command.error(
			`error: too many arguments for "${nameOf(command)}": it takes no '${excess}'. Quote words that belong together.`,
		);
	});
}
