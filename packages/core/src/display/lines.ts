// The lines of a text, one at a time.

/** A final newline adds no line. */
export function* linesOf(text: string): Generator<string> {
	let from = 0;
	while (from < text.length) {
		const newline = text.indexOf('\n', from);
		const end = newline < 0 ? text.length : newline;
		yield text.slice(from, end);
		from = end + 1;
	}
}
