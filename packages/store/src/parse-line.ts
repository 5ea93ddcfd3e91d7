// A stored line read back; one that was tampered with may be no event any more, and verify names it.
import { parseJson } from '@roost/core/display/parse-json';
import { type StoredLine, storedLine } from '@roost/protocol/stored-line';

export function parseLine(text: string): StoredLine | undefined {
	return storedLine.safeParse(parseJson(text)).data;
}
