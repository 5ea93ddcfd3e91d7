// Compares two screens of a program: what was written into it, and whether it is still there.

/** The last lines with text, as one line. */
export function screenEnd(screen: string, most = 6): string {
	const lines = screen
		.split('\n')
		.map((line) => line.trim().replaceAll(/[─━═▔╌_]{4,}/g, '──'))
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
	return lines.slice(-most).join(' / ').slice(-600);
}

/** The text of a screen without spinners, clocks, counters and drawings. */
export function withoutMotion(screen: string): string {
	return screen
		.replaceAll(/[\d\u2500-\u25ff\u2800-\u28ff✢✳✶✻✽∗·⏺|/\\-]/gu, ' ')
		.replaceAll(/[ \t]+/g, ' ')
		.trimEnd();
}

export function isSameApartFromMotion(one: string, other: string): boolean {
	return withoutMotion(one) === withoutMotion(other);
}

export type Written = ReadonlyMap<number, string>;

/** Prefers rows with words of the text; for a long text a program may show a placeholder. */
export function whatWasWritten(before: string, after: string, text: string): Written {
	const [old, now] = [rowsOf(before), rowsOf(after)];
	const changed = [...now.entries()].filter(([at, row]) => row !== (old[at] ?? '') && row !== '');
	const words = text.split(/\s+/).filter((word) => word !== '');
	const own = changed.filter(([, row]) => words.some((word) => row.includes(word)));
	const other = changed.filter(([at, row]) => !isSameApartFromMotion(row, old[at] ?? ''));
	return new Map(own.length > 0 ? own : other);
}

export function whereItStands(screen: string, text: string): Written {
	const [first = ''] = text.trim().split('\n');
	const beginning = first.slice(0, 30).trimEnd();
	return new Map([...rowsOf(screen).entries()].filter(([, row]) => row.includes(beginning)));
}

/** After sending, its rows are empty or have moved. */
export function isStillThere(written: Written, screen: string): boolean {
	const rows = rowsOf(screen);
	return [...written].every(([at, row]) => rows[at] === row);
}

/** Without characters that could end the paste or act as keys. Null if nothing is left. */
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
