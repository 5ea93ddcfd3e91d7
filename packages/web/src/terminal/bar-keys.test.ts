import { describe, expect, it } from 'vitest';
import { keyBytes, NO_MODIFIERS, press, release, withModifiers } from './bar-keys.ts';

const CTRL = press(NO_MODIFIERS, 'ctrl');
const ALT = press(NO_MODIFIERS, 'alt');

describe('a key of the bar', () => {
	it.each([
		['Esc', '\x1b'],
		['Tab', '\t'],
		['Shift-Tab', '\x1b[Z'],
		['Ctrl-C', '\x03'],
		['Up', '\x1b[A'],
		['Down', '\x1b[B'],
		['Right', '\x1b[C'],
		['Left', '\x1b[D'],
	] as const)('%s is sent as a keyboard sends it', (key, bytes) => {
		expect(keyBytes(key, NO_MODIFIERS, false)).toBe(bytes);
	});

	it('that is an arrow has another form if the program asks for it, or with a modifier', () => {
		expect(keyBytes('Up', NO_MODIFIERS, true)).toBe('\x1bOA');
		expect(keyBytes('Left', CTRL, true)).toBe('\x1b[1;5D');
		expect(keyBytes('Right', ALT, false)).toBe('\x1b[1;3C');
		expect(keyBytes('Down', press(CTRL, 'alt'), false)).toBe('\x1b[1;7B');
	});
});

describe('a modifier of the bar', () => {
	it('is held for one key, or until it is pressed again if it was pressed twice', () => {
		expect(release(CTRL)).toEqual(NO_MODIFIERS);
		const locked = press(CTRL, 'ctrl');
		expect(release(locked)).toEqual({ ctrl: 'locked', alt: 'off' });
		expect(press(locked, 'ctrl')).toEqual(NO_MODIFIERS);
	});

	it.each([
		['c', '\x03'],
		['C', '\x03'],
		['[', '\x1b'],
		[' ', '\0'],
		['\r', '\r'],
		['é', 'é'],
	])('Ctrl changes %j to %j', (typed, sent) => {
		expect(withModifiers(typed, CTRL)).toBe(sent);
	});

	it('Alt puts an escape before the key, also with Ctrl', () => {
		expect(withModifiers('b', ALT)).toBe('\x1bb');
		expect(withModifiers('b', press(CTRL, 'alt'))).toBe('\x1b\x02');
	});

	it('does not change a paste or an answer of the terminal', () => {
		expect(withModifiers('ls -l', CTRL)).toBe('ls -l');
		expect(withModifiers('\x1b[1;1R', CTRL)).toBe('\x1b[1;1R');
	});
});
