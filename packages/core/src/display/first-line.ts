// The first line of a longer text, for lists.

/** Longer than any line on a screen. */
const SCANNED = 1_000;

/** The first line with anything on it. */
export function firstLine(text: string): string {
	return /\S[^\r\n]*/u.exec(text.slice(0, SCANNED))?.[0].trimEnd() ?? '';
}

/** The reason as a suffix; empty without one. */
export function because(reason: string | undefined): string {
	return reason ? `: ${firstLine(reason)}` : '';
}
