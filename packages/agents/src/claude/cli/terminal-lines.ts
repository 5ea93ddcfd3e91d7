// What a program that thinks it has a terminal has said so far, as lines of plain text.
import { stripVTControlCharacters } from 'node:util';

export function toTerminalLines(raw: string): string[] {
	return raw
		.split('\n')
		.map((line) => stripVTControlCharacters(line).trim())
		.filter((line) => line !== '' && !PROMPT.test(line));
}

/** Nobody can paste anything here: the browser itself comes back with the answer. */
const PROMPT = /^Or paste the redirect URL here:|^Waiting for authorization/;
