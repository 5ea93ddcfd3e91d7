// What a list shows of a longer text.

/** More than any line shows, and never a huge one. */
const SCANNED = 1_000;

/** The first line with anything on it. */
export function firstLine(text: string): string {
	return /\S[^\r\n]*/u.exec(text.slice(0, SCANNED))?.[0].trimEnd() ?? '';
}

/** Behind a word that needs no reason; nothing where there is none. */
export function because(reason: string | undefined): string {
	return reason ? `: ${firstLine(reason)}` : '';
}
