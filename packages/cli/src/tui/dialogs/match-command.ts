// Which command is meant by what is typed: its whole name, the start of it, or some of its letters in order.
import type { World } from '@roost/client/world/world';
import { COMMANDS, type Command } from './commands.ts';

export type Typed = { readonly name: string; readonly argument: string; readonly hasArgument: boolean };

export function parseTyped(text: string): Typed {
	const line = text.trimStart().replace(/^:+\s*/, '');
	const space = line.search(/\s/);
	if (space < 0) return { name: line, argument: '', hasArgument: false };
	return { name: line.slice(0, space), argument: line.slice(space).trim(), hasArgument: true };
}

/** The best first. */
export function matches(name: string): readonly Command[] {
	const wanted = name.toLowerCase();
	const starting = COMMANDS.filter((command) => command.name.startsWith(wanted));
	const others = COMMANDS.filter((command) => !starting.includes(command) && hasLetters(command.name, wanted));
	return [...starting, ...others];
}

/** The one that is meant, or one sentence that says why it is not clear. */
export function meant(name: string): Command | { readonly problem: string } {
	const starting = COMMANDS.filter((command) => command.name.startsWith(name.toLowerCase()));
	const [first, ...more] = starting.length > 0 ? starting : matches(name);
	if (first && more.length === 0) return first;
	if (first) return { problem: `"${name}" could be ${namesOf([first, ...more])}.` };
	return { problem: `There is no command "${name}". There are ${namesOf(COMMANDS)}.` };
}

/** What Tab makes of it: as much as is sure, the whole where one is meant. */
export function complete(text: string, world: World): string {
	const { name, argument, hasArgument } = parseTyped(text);
	if (hasArgument) {
		const command = COMMANDS.find((one) => one.name === name.toLowerCase());
		const values = command?.values?.(world).filter((value) => value.startsWith(argument)) ?? [];
		return values.length === 0 ? text : `${name} ${values.length === 1 ? values[0] : commonStart(values)}`;
	}
	const starting = matches(name).filter((command) => command.name.startsWith(name.toLowerCase()));
	const [only, ...more] = starting.length > 0 ? starting : matches(name);
	if (!only) return text;
	if (more.length === 0) return only.takes === undefined ? only.name : `${only.name} `;
	return starting.length > 0 ? commonStart(starting.map((command) => command.name)) : text;
}

function hasLetters(name: string, letters: string): boolean {
	let at = 0;
	for (const letter of letters) {
		at = name.indexOf(letter, at) + 1;
		if (at === 0) return false;
	}
	return true;
}

function commonStart(words: readonly string[]): string {
	const [first = '', ...rest] = words;
	let length = first.length;
	for (const word of rest) while (!word.startsWith(first.slice(0, length))) length -= 1;
	return first.slice(0, length);
}

function namesOf(commands: readonly Command[]): string {
	return commands.map(({ name }) => name).join(', ');
}
