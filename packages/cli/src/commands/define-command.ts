// A command as data: its help, what it takes, and the function that runs it. The function is loaded only when the command runs.
import { type Command, Option } from 'commander';
import { reportErrors } from '../output/exit.ts';

export type CommandDefinition = {
	readonly name: string;
	/** An imperative, at most 60 characters, without a period. */
	readonly about: string;
} & CommandParts;

type CommandParts = {
	readonly args?: readonly Argument[];
	/** Every command that runs also takes --json, unless `json` is false. */
	readonly options?: readonly (Option | OptionRow)[];
	readonly json?: false;
	/** Printed between the options and the examples. */
	readonly notes?: string;
	readonly examples: readonly string[];
	/** Runs when the group is called without a command. */
	readonly isDefault?: true;
	/** Also passes the options of `roost` itself. */
	readonly globals?: true;
	/** The arguments from the first unknown option on belong to another program. */
	readonly passesThrough?: true;
	readonly commands?: readonly CommandDefinition[];
	/** Called with the arguments and the options. */
	readonly run?: () => Promise<(...given: never[]) => Promise<void>>;
};

export type Argument = readonly [name: string, help: string];
type OptionRow = readonly [flags: string, help: string, standard?: string];

export function command(name: string, about: string, parts: CommandParts): CommandDefinition {
	return { name, about, ...parts };
}

/** An option that can be given several times: its values in order, or undefined. */
export function repeated(flags: string, help: string): Option {
	return new Option(flags, help).argParser((value: string, all: string[] | undefined) => [...(all ?? []), value]);
}

export function addCommand(parent: Command, definition: CommandDefinition): void {
	const { name, about, args = [], options = [], notes = '', examples, commands = [], run } = definition;
	const added = parent.command(name, { isDefault: definition.isDefault === true }).description(about);
	for (const [argument, help] of args) added.argument(argument, help);
	for (const option of options) added.addOption(option instanceof Option ? option : toOption(option));
	if (run && definition.json !== false) added.option('--json', 'print JSON, for programs');
	if (definition.passesThrough) added.allowUnknownOption().passThroughOptions();
	const lines = examples.map((example) => `\n  $ ${example}`).join('');
	added.addHelpText('after', `${notes && `\n${notes}\n`}\nExample${examples.length > 1 ? 's' : ''}:${lines}`);
	for (const each of commands) addCommand(added, each);
	if (!run) return;
	added.action(async (...given: unknown[]) => {
		const options = definition.globals ? added.optsWithGlobals() : added.opts();
		const action = await run();
		await reportErrors(options, () => action(...([...given.slice(0, -2), options] as never[])));
	});
}

function toOption([flags, help, standard]: OptionRow): Option {
	const option = new Option(flags, help);
	return standard === undefined ? option : option.default(standard);
}
