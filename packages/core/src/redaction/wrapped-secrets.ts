// Finds secrets encoded in base64, as in configurations and command lines; also across the lines of a block.
import { alphabet, endOfRun, isIn } from './alphabets.ts';
import type { Add } from './mark.ts';

const BASE64 = alphabet(/[A-Za-z0-9+/_-]/);
const LEAST = 20;
const PROBED_BYTES = 24;
const LEAST_LINE = 60;

/** `holdsSecret` checks the decoded text. */
export function findWrappedSecrets(text: string, holdsSecret: (plain: string) => boolean, add: Add): void {
	for (let at = LEAST - 1; at < text.length; ) {
		// Backwards from the end of the shortest possible run: most text is skipped.
		let start = at;
		while (start > at - LEAST && isIn(BASE64, text.charCodeAt(start))) start--;
		if (start !== at - LEAST) {
			at = start + LEAST;
			continue;
		}
		const end = endOfBlock(text, start + 1);
		if (isWrapped(text.slice(start + 1, end), holdsSecret)) add('base64', start + 1, afterPadding(text, end));
		at = end + LEAST;
	}
}

function afterPadding(text: string, end: number): number {
	return end + (/^={0,2}/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
}

function endOfBlock(text: string, start: number): number {
	let end = endOfRun(text, start, BASE64);
	for (let lineStart = start; end - lineStart >= LEAST_LINE; ) {
		const gap = /^(?:\\r)?(?:\\n|\r?\n)[ \t]{0,16}/.exec(text.slice(end, end + 24))?.[0].length ?? 0;
		if (gap === 0 || !isIn(BASE64, text.charCodeAt(end + gap))) break;
		lineStart = end + gap;
		end = endOfRun(text, lineStart, BASE64);
	}
	return end;
}

/** Decoding the first characters rules out nearly all text. */
function isWrapped(block: string, holdsSecret: (plain: string) => boolean): boolean {
	return decodesToText(block, PROBED_BYTES) && holdsSecret(decodeBase64(block.replace(/\\[rn]|\s/g, '')));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, ALPHABET.indexOf(String.fromCharCode(code))));
VALUES[0x2d] = 62;
VALUES[0x5f] = 63;

function decodesToText(block: string, bytes: number): boolean {
	const most = Math.min(block.length, Math.ceil((bytes * 4) / 3));
	let bits = 0;
	let held = 0;
	for (let at = 0; at < most; at++) {
		bits = ((bits << 6) | (VALUES[block.charCodeAt(at)] ?? 0)) & 0x3fff;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		const byte = (bits >> held) & 0xff;
		if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte > 0x7e) return false;
	}
	return true;
}

export function decodeBase64(characters: string): string {
	const pieces: string[] = [];
	let bits = 0;
	let held = 0;
	for (let at = 0; at < characters.length; at++) {
		bits = ((bits << 6) | (VALUES[characters.charCodeAt(at)] ?? 0)) & 0x3fff;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		pieces.push(String.fromCharCode((bits >> held) & 0xff));
	}
	return pieces.join('');
}
