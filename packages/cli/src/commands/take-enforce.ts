// --enforce among the arguments of an agent: Roost's own wherever it stands, except behind "--".

/** `raw`: the whole command line. The parser takes a first "--" away, and everything behind it is the agent's. */
export function takeEnforce(args: readonly string[], raw: readonly string[]): { args: readonly string[]; enforce: boolean } {
	if (raw.at(-args.length - 1) === '--') return { args, enforce: false };
	const end = args.indexOf('--');
	const options = end < 0 ? args : args.slice(0, end);
	const kept = options.filter((arg) => arg !== ENFORCE);
	return { args: [...kept, ...args.slice(options.length)], enforce: kept.length < options.length };
}

const ENFORCE = '--enforce';
