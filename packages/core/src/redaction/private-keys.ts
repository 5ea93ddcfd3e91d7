// Finds private keys: PEM armour, also with escaped line breaks, and PuTTY files. A truncated key is secret to the end.
import type { Add } from './mark.ts';

export function findPrivateKeys(text: string, add: Add): void {
	if (text.includes('PRIVATE KEY')) findArmoured(text, add);
	if (text.includes(PUTTY)) findPutty(text, add);
}

const BEGIN =
	/-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY ----/g;
const PUTTY = 'PuTTY-User-Key-File-';
const PUTTY_END = 'Private-MAC:';

function findArmoured(text: string, add: Add): void {
	BEGIN.lastIndex = 0;
	for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
		const dashes = begin[0].startsWith('-----') ? '-----' : ' ----';
		const end = endOfKey(text, BEGIN.lastIndex, dashes === '-----' ? '-----END ' : '---- END ', dashes);
		add('private-key', begin.index, end);
		BEGIN.lastIndex = end;
	}
}

function endOfKey(text: string, bodyStart: number, ending: string, dashes: string): number {
	const end = text.indexOf(ending, bodyStart);
	const close = end === -1 ? -1 : text.indexOf(dashes, end + ending.length);
	return close === -1 ? text.length : close + dashes.length;
}

function findPutty(text: string, add: Add): void {
	for (let start = text.indexOf(PUTTY); start >= 0; ) {
		const mac = text.indexOf(PUTTY_END, start);
		const end = mac === -1 ? text.length : endOfMac(text, mac + PUTTY_END.length);
		add('private-key', start, end);
		start = text.indexOf(PUTTY, end);
	}
}

function endOfMac(text: string, at: number): number {
	return at + (/^\s{0,4}[0-9a-f]{0,128}/.exec(text.slice(at, at + 140))?.[0].length ?? 0);
}
