// Finds private keys in PEM armour, also with escaped line breaks; one that was cut off is a secret to the end of the text.
import type { Mark } from './mark.ts';

export function redactPrivateKeys(text: string, mark: Mark): string {
	let result = '';
	let at = 0;
	for (let begin = BEGIN.exec(from(text, at)); begin !== null; begin = BEGIN.exec(from(text, at))) {
		const start = begin.index;
		const end = endOfKey(text, start + begin[0].length);
		result += text.slice(at, start) + mark('private-key', text.slice(start, end));
		at = end;
	}
	return at === 0 ? text : result + text.slice(at);
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';

function from(text: string, at: number): string {
	BEGIN.lastIndex = at;
	return text;
}

function endOfKey(text: string, bodyStart: number): number {
	const end = text.indexOf(END, bodyStart);
	if (end === -1) return text.length;
	const close = text.indexOf('-----', end + END.length);
	return close === -1 ? text.length : close + 5;
}
