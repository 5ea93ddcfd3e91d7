// Completion candidates for a command line, derived from the commands.
import type { Command, Option } from 'commander';

type Candidate = { value: string; help: string };

/** The last word is being typed. Empty where a file or free text is expected. */
export function complete(program: Command, words: readonly string[]): Candidate[] {
	const typed = words.at(-1) ?? '';
	const place = walk(program, words.slice(0, -1));
	if (place === null) return [];
	const candidates = typed.startsWith('-') ? optionsOf(place.command) : place.isFirst ? commandsOf(place.command) : [];
	return candidates.filter(({ value }) => value.startsWith(typed));
}

/** Null if the next word is the value of an option, or belongs to another program. */
function walk(program: Command, words: readonly string[]): { command: Command; isFirst: boolean } | null {
	let command = program;
	let isFirst = true;
	let isValue = false;
	for (const word of words) {
		if (isValue) isValue = false;
		else if (word === '--') return null;
		else if (word.startsWith('-')) isValue = takesNextWord(command, word);
		else {
			const next: Command | undefined = isFirst
				? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
				: undefined;
			if (!next && passesOn(command)) return null;
			command = next ?? command;
			isFirst = next !== undefined;
		}
	}
	return isValue ? null : { command, isFirst };
}

function takesNextWord(command: Command, word: string): boolean {
	return command.options.some(({ long, short, required }) => required && (word === long || word === short));
}

/** Commands that pass their arguments to an agent take no options of Roost after the first argument. */
function passesOn(command: Command): boolean {
	return '_passThroughOptions' in command && command._passThroughOptions === true;
}

function commandsOf(command: Command): Candidate[] {
	return command
		.createHelp()
		.visibleCommands(command)
		.map((each) => ({ value: each.name(), help: each.summary() || each.description() }));
}

function optionsOf(command: Command): Candidate[] {
	const help = command.createHelp();
	return help.visibleOptions(command).map((option: Option) => ({
		value: option.long ?? option.short ?? option.flags,
		help: option.description,
	}));
}
