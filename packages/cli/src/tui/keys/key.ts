// Keys by name, as a keymap writes them: `j`, `down`, `ctrl+c`, `shift+tab`, `enter`.
import type { Key as InkKey } from 'ink';

/** A named key, or text that was typed. */
export type KeyPress = { name: string; text: string };

const NAMED: readonly (readonly [keyof InkKey, string])[] = [
	['upArrow', 'up'],
	['downArrow', 'down'],
	['leftArrow', 'left'],
	['rightArrow', 'right'],
	['pageUp', 'pgup'],
	['pageDown', 'pgdn'],
	['home', 'home'],
	['end', 'end'],
	['return', 'enter'],
	['escape', 'esc'],
	['tab', 'tab'],
	['backspace', 'backspace'],
	['delete', 'delete'],
];

export function toKeyPress(input: string, key: InkKey): KeyPress {
	const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
	// A terminal sends the same byte for a plain line feed and Ctrl-J.
	const base = named ?? (input === '\n' ? 'ctrl+j' : input === ' ' ? 'space' : input);
	const modifiers = [
		key.ctrl ? 'ctrl+' : '',
		key.meta && named !== 'esc' ? 'alt+' : '',
		key.shift && named !== undefined ? 'shift+' : '',
	];
	const name = `${modifiers.join('')}${base}`;
	const text = named === undefined && !key.ctrl && !key.meta ? input : '';
	return { name, text };
}
