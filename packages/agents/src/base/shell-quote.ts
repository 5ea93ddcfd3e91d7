// An argv as one shell command: the only place where words are quoted for a shell.

/** Every word stands for itself, whatever is in it. */
export function quoteArgv(argv: readonly string[]): string {
	return argv.map(quoteWord).join(' ');
}

/** A name that no shell reads otherwise may stand as it is; `=` is safe only behind a flag. */
const PLAIN = /^(?:[\w@%+:,./-]+|--[\w-]+=[\w@%+:,./-]*)$/;

function quoteWord(word: string): string {
	if (word.includes('\0')) throw new TypeError('an argument cannot hold a NUL character');
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
