// The palette: every command by name, completed as it is typed.
import type { World } from '@roost/client/world/world';
import type { Binding } from '../keys/keymap.ts';
import { type Drawn, type Pane, type Room, type Step, stay } from '../pane.ts';
import { cell } from '../parts/cells.ts';
import { drawField, EDITING, EMPTY_FIELD, edit, fieldWith, insert, type TextField } from '../parts/text-field.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import { type Command, commandsIn } from './commands.ts';

export type PaletteState = {
	readonly field: TextField;
	/** Oldest first. */
	readonly history: readonly string[];
	/** Index in the history; its length while nothing is recalled. */
	readonly at: number;
	readonly problem: string;
};

const MOST_REMEMBERED = 50;

const KEYS: readonly Binding[] = [
	{ keys: ['enter'], action: 'run', help: 'run it', hint: true },
	{ keys: ['tab'], action: 'complete', help: 'complete', hint: true },
	{ keys: ['up', 'ctrl+p'], action: 'older', help: 'previous command', hint: true },
	{ keys: ['down', 'ctrl+n'], action: 'newer', help: 'next command' },
	{ keys: ['esc'], action: 'back', help: 'close', hint: true },
	...EDITING,
];

export const palettePane: Pane<PaletteState> = {
	title: 'Command',
	keys: KEYS,
	start: () => ({ field: EMPTY_FIELD, history: [], at: 0, problem: '' }),
	again: ({ history }) => ({ field: EMPTY_FIELD, history, at: history.length, problem: '' }),
	act,
	takesText: () => true,
	type: (state, text) => stay({ ...state, field: insert(state.field, text.replaceAll(/[\r\n]+/g, ' ')), problem: '' }),
	draw,
};

function act(state: PaletteState, action: string, world: World): Step<PaletteState> {
	const { field } = state;
	switch (action) {
		case 'back':
			return { state, go: 'back' };
		case 'run':
			return run(state, world);
		case 'complete':
			return stay({ ...state, field: fieldWith(complete(field.text, world)), problem: '' });
		case 'older':
			return stay(recall(state, state.at - 1));
		case 'newer':
			return stay(recall(state, state.at + 1));
		default: {
			// As in an editor.
			if (action === 'edit:backspace' && field.text === '') return { state, go: 'back' };
			const edited = edit(field, action);
			return stay(edited ? { ...state, field: edited, problem: '' } : state);
		}
	}
}

function run(state: PaletteState, world: World): Step<PaletteState> {
	const text = state.field.text.trim();
	if (text === '') return { state, go: 'back' };
	const { name, argument } = parseTyped(text);
	const command = meant(name, world);
	const ran = 'problem' in command ? command : command.run(argument, world);
	if ('problem' in ran) return stay({ ...state, problem: ran.problem });
	const history = [...state.history.filter((line) => line !== text), text].slice(-MOST_REMEMBERED);
	return { state: { ...state, history, at: history.length, problem: '' }, wishes: ran.wishes, go: ran.go };
}

function recall(state: PaletteState, wanted: number): PaletteState {
	const at = Math.max(0, Math.min(wanted, state.history.length));
	return { ...state, at, field: fieldWith(state.history[at] ?? ''), problem: '' };
}

const PROMPT = 2;
const MOST_SHOWN = 8;

function draw({ field, problem }: PaletteState, world: World, room: Room): Drawn {
	const drawn = drawField(field, Math.max(1, room.width - PROMPT - 1));
	const typed = drawn.rows[drawn.cursor.line] ?? [];
	const below = problem
		? [...wrapped(problem, room.width - PROMPT, 'warn')].map((line) => row('  ', ...line))
		: choices(field.text, world, room);
	return {
		rows: [row(span(' :', 'accent'), ...typed), ...below].slice(0, room.height),
		cursor: { line: 0, column: drawn.cursor.column + PROMPT },
	};
}

function choices(text: string, world: World, room: Room): Row[] {
	const { name, argument, hasArgument } = parseTyped(text);
	const all = matches(name, world);
	const most = Math.max(1, Math.min(Math.max(MOST_SHOWN, Math.floor(room.height / 2)), room.height - 2));
	if (hasArgument) {
		const command = all.find((one) => one.name === name.toLowerCase());
		return command ? [commandRow(command, room), ...valueRows(command, argument, world, room, most)] : [];
	}
	const left = all.length - most;
	const more = left > 0 ? [row(span(`  and ${left} more: type some letters`, 'faint'))] : [];
	return [...all.slice(0, most).map((command) => commandRow(command, room)), ...more];
}

function commandRow({ name, takes = '', help }: Command, room: Room): Row {
	return aboutRow(`${name} ${takes}`.trim(), help, room, 'key');
}

function aboutRow(name: string, about: string, { width, styles }: Room, tone?: Tone): Row {
	const size = Math.max(10, Math.min(36, Math.floor(width / 3)));
	return [span('  '), cell(name, size, styles, tone), span(` ${about}`, 'faint')];
}

function valueRows(command: Command, argument: string, world: World, room: Room, most: number): Row[] {
	const values = command.values?.(world).filter((value) => value.startsWith(argument)) ?? [];
	return values.slice(0, most - 1).map((value) => {
		const about = command.about?.(value, world) ?? '';
		return about === '' ? row(span(`    ${value}`)) : aboutRow(`  ${value}`, about, room);
	});
}

type Typed = { readonly name: string; readonly argument: string; readonly hasArgument: boolean };

function parseTyped(text: string): Typed {
	const line = text.trimStart().replace(/^:+\s*/, '');
	const space = line.search(/\s/);
	if (space < 0) return { name: line, argument: '', hasArgument: false };
	return { name: line.slice(0, space), argument: line.slice(space).trim(), hasArgument: true };
}

/** Best match first. */
export function matches(name: string, world: World): readonly Command[] {
	const wanted = name.toLowerCase();
	const commands = commandsIn(world);
	const starting = commands.filter((command) => command.name.startsWith(wanted));
	const others = commands.filter((command) => !starting.includes(command) && hasLetters(command.name, wanted));
	return [...starting, ...others];
}

/** The command that is meant, or why it is ambiguous. */
export function meant(name: string, world: World): Command | { readonly problem: string } {
	const commands = commandsIn(world);
	const starting = commands.filter((command) => command.name.startsWith(name.toLowerCase()));
	const [first, ...more] = starting.length > 0 ? starting : matches(name, world);
	if (first && more.length === 0) return first;
	if (first) return { problem: `"${name}" could be ${namesOf([first, ...more])}.` };
	return { problem: `There is no command "${name}". There are ${namesOf(commands)}.` };
}

/** Completes as much as is unambiguous. */
export function complete(text: string, world: World): string {
	const { name, argument, hasArgument } = parseTyped(text);
	if (hasArgument) {
		const command = commandsIn(world).find((one) => one.name === name.toLowerCase());
		const values = command?.values?.(world).filter((value) => value.startsWith(argument)) ?? [];
		return values.length === 0 ? text : `${name} ${values.length === 1 ? values[0] : commonStart(values)}`;
	}
	const starting = matches(name, world).filter((command) => command.name.startsWith(name.toLowerCase()));
	const [only, ...more] = starting.length > 0 ? starting : matches(name, world);
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
