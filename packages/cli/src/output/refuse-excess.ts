// An argument that a command does not take is refused before the command does anything: words that nobody reads would be lost.
import type { Command } from 'commander';

/** Commander's own check ends with its root command, which must take any word to say that it is no command. */
export function refuseExcess(program: Command): void {
	program.hook('preAction', (_root, command) => {
		const taken = command.registeredArguments;
		const excess = taken.at(-1)?.variadic || command === program ? undefined : command.args[taken.length];
		if (excess === undefined) return;
		command.error(
			`error: too many arguments for "${nameOf(command)}": it takes no '${excess}'. Quote words that belong together.`,
		);
	});
}

/** As it is typed. */
function nameOf(command: Command): string {
	return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
