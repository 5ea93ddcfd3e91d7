// A stored line read back; one that was tampered with may be no event any more, and verify names it.
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';

export function parseLine(text: string): StoredLine | undefined {
	return storedLine.safeParse(parseJson(text)).data;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// No value is a stored line, so the caller leaves it out.
		return undefined;
	}
}
