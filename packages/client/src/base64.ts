// Bytes as text and back, for connections that carry only text; written out because not every place this runs in has it.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...LETTERS].map((letter, value) => [letter, value]));

export function toBase64(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 3) {
		const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
		const group = (first << 16) | (second << 8) | third;
		const letters = [18, 12, 6, 0].map((shift) => LETTERS[(group >>> shift) & 63]).join('');
		const missing = Math.max(0, at + 3 - bytes.length);
		text += letters.slice(0, 4 - missing) + '='.repeat(missing);
	}
	return text;
}

/** What is no letter of it ends the text. */
export function fromBase64(text: string): Uint8Array {
	const bytes: number[] = [];
	let held = 0;
	let bits = 0;
	for (const letter of text) {
		const value = VALUES.get(letter);
		if (value === undefined) break;
		held = ((held << 6) | value) & 0xffff;
		bits += 6;
		if (bits < 8) continue;
		bits -= 8;
		bytes.push((held >>> bits) & 255);
	}
	return Uint8Array.from(bytes);
}
