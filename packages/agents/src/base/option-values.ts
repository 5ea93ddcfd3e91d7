// Values of a command-line option in the spellings that agents accept: `-C x`, `-Cx`, `--cd x` and `--cd=x`.

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
