// What can be told from two screens of a program: whether something was written into it, and whether it still stands there.

/** The last lines that say something, as one line for a sentence. */
export function screenEnd(screen: string, most = 6): string {
	const lines = screen
		.split('\n')
		.map((line) => line.trim().replaceAll(/[─━═▔╌_]{4,}/g, '──'))
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
	return lines.slice(-most).join(' / ').slice(-600);
}

/** The words of a screen, without what moves by itself: spinners, clocks, counters, and drawings such as a face that blinks. */
export function withoutMotion(screen: string): string {
	return screen
		.replaceAll(/[\d\u2500-\u25ff\u2800-\u28ff✢✳✶✻✽∗·⏺|/\\-]/gu, ' ')
		.replaceAll(/[ \t]+/g, ' ')
		.trimEnd();
}

export function isSameApartFromMotion(one: string, other: string): boolean {
	return withoutMotion(one) === withoutMotion(other);
}

/** The rows that a paste changed, and what stands in them now. */
export type Written = ReadonlyMap<number, string>;

/** Rows with words of the text where there are any: a program may show something else for a long one. What only moved was not written. */
export function whatWasWritten(before: string, after: string, text: string): Written {
	const [old, now] = [rowsOf(before), rowsOf(after)];
	const changed = [...now.entries()].filter(([at, row]) => row !== (old[at] ?? '') && row !== '');
	const words = text.split(/\s+/).filter((word) => word !== '');
	const own = changed.filter(([, row]) => words.some((word) => row.includes(word)));
	const said = changed.filter(([at, row]) => !isSameApartFromMotion(row, old[at] ?? ''));
	return new Map(own.length > 0 ? own : said);
}

/** The rows that show the beginning of a text, wherever it came from. */
export function whereItStands(screen: string, text: string): Written {
	const [first = ''] = text.trim().split('\n');
	const beginning = first.slice(0, 30).trimEnd();
	return new Map([...rowsOf(screen).entries()].filter(([, row]) => row.includes(beginning)));
}

/** Once it is sent, the place where it stood is empty or has moved. */
export function isStillThere(written: Written, screen: string): boolean {
	const rows = rowsOf(screen);
	return [...written].every(([at, row]) => rows[at] === row);
}

/** A text as it may be pasted: nothing in it can end the paste or be a key. Null where nothing is left. */
export function toPasteable(text: string): string | null {
	const plain = text
		.replaceAll(/\r\n?/g, '\n')
		.replaceAll(/(?![\n\t])\p{Cc}/gu, '')
		.trimEnd();
	return plain.trim() === '' ? null : plain;
}

function rowsOf(screen: string): string[] {
	return screen.split('\n').map((row) => row.trimEnd());
}
