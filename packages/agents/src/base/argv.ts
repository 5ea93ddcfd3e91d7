// Command lines: quoting an argv for a shell (the only place that does), and reading options in the spellings that agents accept.

export function quoteArgv(argv: readonly string[]): string {
	return argv.map(quoteWord).join(' ');
}

/** Safe in every shell without quotes; `=` is safe only in a flag. */
const PLAIN = /^(?:[\w@%+:,./-]+|--[\w-]+=[\w@%+:,./-]*)$/;

function quoteWord(word: string): string {
	if (word.includes('\0')) throw new TypeError('an argument cannot hold a NUL character');
	return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The arguments before `--`. */
export function beforeOperands(args: readonly string[]): readonly string[] {
	const at = args.indexOf('--');
	return at < 0 ? args : args.slice(0, at);
}

/** In the given order; usually the last one counts. */
export function optionValues(args: readonly string[], names: readonly string[]): string[] {
	return args.flatMap((arg, at) => {
		if (names.includes(arg)) return args[at + 1] ?? [];
		const name = names.find((each) => arg.startsWith(isLong(each) ? `${each}=` : each));
		if (name === undefined || arg.length === name.length) return [];
		return arg.slice(name.length).replace(/^=/, '');
	});
}

function isLong(name: string): boolean {
	return name.startsWith('--');
}
