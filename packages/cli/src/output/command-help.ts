// Help and usage errors: `roost help <command>`, suggestions for mistyped commands, and arguments that a command does not take.
import { Command } from 'commander';

function nameOf(command: Command): string {
	return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** Call it after every command was added. */
export function addHelp(program: Command): void {
	program
		.command('help')
		.description('Show help for a command')
		.argument('[command...]', 'command to explain (default: roost itself)')
		.addHelpText('after', '\nExamples:\n  $ roost help run\n  $ roost help rules add')
		.action((words: string[]) => findCommand(program, words).outputHelp());
	pointToHelp(program);
}

function findCommand(program: Command, words: readonly string[]): Command {
	return words.reduce((group, word) => {
		const found = group.commands.find((command) => command.name() === word);
		return found ?? group.error(unknownCommand(group, word));
	}, program);
}

/** A usage error names the help of its command. */
function pointToHelp(command: Command): void {
	command.showHelpAfterError(`Run "${nameOf(command)} --help" for usage.`);
	for (const each of command.commands) pointToHelp(each);
}

/** Commander suggests names only for commands without an action, so a plain copy is used. */
export function unknownCommand(group: Command, word: string): string {
	const names = new Command(group.name()).exitOverride().configureOutput({ writeErr: () => {} });
	for (const command of group.createHelp().visibleCommands(group)) names.command(command.name());
	try {
		names.parse([word], { from: 'user' });
	} catch (error) {
		if (error instanceof Error) return error.message;
	}
	return `error: unknown command '${word}'`;
}

/** Commander does not check the root command, which must accept any word to report unknown commands. */
export function refuseExcess(program: Command): void {
	program.hook('preAction', (_root, command) => {
		const taken = command.registeredArguments;
		const excess = taken.at(-1)?.variadic || command === program ? undefined : command.args[taken.length];
		if (excess === undefined) return;
		const { parent } = command;
		// In a group, an extra word was meant as a command.
		if (parent && parent !== program && parent.args[0] !== command.name()) parent.error(unknownCommand(parent, excess));
		command.error(
			`error: too many arguments for "${nameOf(command)}": it takes no '${excess}'. Quote words that belong together.`,
		);
	});
}
