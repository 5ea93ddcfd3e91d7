// Where the words of a search are in a text, for faces that mark them.

/** `from`: its place in the text. */
export type MarkedPart = { readonly from: number; readonly text: string; readonly isHit: boolean };

/** All parts of a text, in order. A word is found where a word begins, in any case. */
export function markWords(text: string, words: string): MarkedPart[] {
	const wanted = words.split(/\s+/u).filter((word) => word !== '');
	if (wanted.length === 0) return [{ from: 0, text, isHit: false }];
	// The longest first: otherwise "in" would hide "index".
	const longestFirst = wanted.toSorted((a, b) => b.length - a.length).map(escapePattern);
	const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join('|')})`, 'giu');
	const parts: MarkedPart[] = [];
	let from = 0;
	for (const [at, part] of text.split(pattern).entries()) {
		if (part !== '') parts.push({ from, text: part, isHit: at % 2 === 1 });
		from += part.length;
	}
	return parts;
}

function escapePattern(word: string): string {
	return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
