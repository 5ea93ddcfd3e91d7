// Quotes an argv as one shell command: the only place that quotes for a shell.

export function quoteArgv(argv: readonly string[]): string {
	return argv.map(quoteWord).join(' ');
}

/** Safe in every shell without quotes; `=` is safe only in a flag. */
const PLAIN = /^(?:[\w@%+:,./-]+|--[\w-]+=[\w@%+:,./-]*)$/;

function quoteWord(word: string): string {
	if (word.includes('\0')) throw new TypeError('an argument cannot hold a NUL character');
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
