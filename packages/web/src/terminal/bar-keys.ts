// The keys that a phone's keyboard lacks, and modifiers that stay pressed for the next key.

export type BarKey = 'Esc' | 'Tab' | 'Shift-Tab' | 'Up' | 'Down' | 'Left' | 'Right' | 'Ctrl-C';

/** `once`: for the next key; `locked`: until it is pressed again. */
export type Hold = 'off' | 'once' | 'locked';
export type Modifiers = { readonly ctrl: Hold; readonly alt: Hold };

export const NO_MODIFIERS: Modifiers = { ctrl: 'off', alt: 'off' };

const AFTER: Readonly<Record<Hold, Hold>> = { off: 'once', once: 'locked', locked: 'off' };

export function press(modifiers: Modifiers, name: keyof Modifiers): Modifiers {
	return { ...modifiers, [name]: AFTER[modifiers[name]] };
}

/** After a key was typed. */
export function release({ ctrl, alt }: Modifiers): Modifiers {
	return { ctrl: ctrl === 'once' ? 'off' : ctrl, alt: alt === 'once' ? 'off' : alt };
}

const ARROWS = { Up: 'A', Down: 'B', Right: 'C', Left: 'D' } as const;
const PLAIN = { Esc: '\x1b', Tab: '\t', 'Shift-Tab': '\x1b[Z', 'Ctrl-C': '\x03' } as const;

/** `application`: the program asked for the other form of the arrow keys. */
export function keyBytes(key: BarKey, { ctrl, alt }: Modifiers, application: boolean): string {
	if (key === 'Esc' || key === 'Tab' || key === 'Shift-Tab' || key === 'Ctrl-C') return PLAIN[key];
	const held = 1 + (alt === 'off' ? 0 : 2) + (ctrl === 'off' ? 0 : 4);
	if (held > 1) return `\x1b[1;${held}${ARROWS[key]}`;
	return `\x1b${application ? 'O' : '['}${ARROWS[key]}`;
}

/** One typed character with the modifiers; everything else, such as a paste or an answer of the terminal, stays as it is. */
export function withModifiers(typed: string, { ctrl, alt }: Modifiers): string {
	if (!isOneCharacter(typed)) return typed;
	const key = ctrl === 'off' ? typed : toControl(typed);
	return alt === 'off' ? key : `\x1b${key}`;
}

export function isOneCharacter(typed: string): boolean {
	return [...typed].length === 1;
}

/** `@` to `_`, and letters: the lower five bits. */
function toControl(key: string): string {
	const upper = key.toUpperCase();
	if (upper === ' ') return '\0';
	return /^[@-_]$/.test(upper) ? String.fromCharCode(upper.charCodeAt(0) & 0x1f) : key;
}
