// Keys by name, as a keymap writes them: `j`, `down`, `ctrl+c`, `shift+tab`, `enter`.
import type { Key as InkKey } from 'ink';

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

/** Fast typing can arrive in one piece. */
export function toKeyPresses(input: string, key: InkKey): KeyPress[] {
	const named = NAMED.find(([flag]) => key[flag] === true)?.[1];
	if (named === 'esc') return key.meta ? [ESCAPE, ESCAPE] : [ESCAPE];
	if (named !== undefined) return [{ name: `${modifiersOf(key)}${named}`, text: '' }];
	const characters = Array.from(graphemes.segment(input), ({ segment }) => segment);
	if (key.ctrl || key.meta) return characters.length === 1 ? [{ name: chordOf(input, key), text: '' }] : [];
	return characters.map(toPress);
}

const ESCAPE: KeyPress = { name: 'esc', text: '' };
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function modifiersOf({ ctrl, meta, shift }: InkKey): string {
	return `${ctrl ? 'ctrl+' : ''}${meta ? 'alt+' : ''}${shift ? 'shift+' : ''}`;
}

function chordOf(character: string, key: InkKey): string {
	return `${modifiersOf({ ...key, shift: false })}${character === ' ' ? 'space' : character}`;
}

const CONTROLS: Record<string, string> = { '\r': 'enter', '\t': 'tab', '\r\n': 'enter', '\x7f': 'backspace' };

function toPress(character: string): KeyPress {
	const code = character.codePointAt(0) ?? 0;
	if (character in CONTROLS) return { name: CONTROLS[character] ?? '', text: '' };
	if (code < 32) return { name: `ctrl+${String.fromCodePoint(code + 96)}`, text: '' };
	return { name: character === ' ' ? 'space' : character, text: character };
}
