// Help and usage errors: `roost help <command>`, suggestions for mistyped commands, and arguments that a command does not take.
import { Command } from 'commander';

/** As it is typed. */
function nameOf(command: Command): string {
	return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** After every command was added. */
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

/** A usage error names the help of the command that was meant. */
function pointToHelp(command: Command): void {
	command.showHelpAfterError(`Run "${nameOf(command)} --help" for usage.`);
	for (const each of command.commands) pointToHelp(each);
}

/** Commander suggests a name only for commands that do nothing by themselves, so it is asked about such a one. */
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
