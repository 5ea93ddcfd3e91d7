// The display sanitiser: characters that could hide, reorder or overwrite text on a screen become visible escapes. It never cuts.

/** One line: newlines and tabs become `\n` and `\t`. */
export function sanitiseLine(text: string): string {
	return SUSPECT_IN_LINE.test(text) ? text.replace(HOSTILE_IN_LINE, escapeCharacter) : text;
}

/** Keeps newlines and tabs; everything else hostile becomes a visible escape. */
export function sanitiseBlock(text: string): string {
	return SUSPECT_IN_BLOCK.test(text) ? text.replace(HOSTILE_IN_BLOCK, escapeCharacter) : text;
}

// Bidi controls, zero-width and tag characters, variation selectors, fillers and byte order marks are all default-ignorable.
const INVISIBLE = '\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\p{Cs}';
const IN_LINE = `\\p{Cc}${INVISIBLE}`;
const IN_BLOCK = `\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${INVISIBLE}`;

// Emoji stay whole: a joiner between two pictographs, and one presentation selector after a pictograph or in a keycap, are drawn.
const JOINER = '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})';
const SELECTOR = '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)';
const hostile = (set: string): RegExp => new RegExp(`(?!${JOINER}|${SELECTOR})[${set}]`, 'gu');

const SUSPECT_IN_LINE = new RegExp(`[${IN_LINE}]`, 'u');
const SUSPECT_IN_BLOCK = new RegExp(`[${IN_BLOCK}]`, 'u');
const HOSTILE_IN_LINE = hostile(IN_LINE);
const HOSTILE_IN_BLOCK = hostile(IN_BLOCK);

function escapeCharacter(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const short = SHORT[character];
	if (short !== undefined) return short;
	return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}

const SHORT: Record<string, string | undefined> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
