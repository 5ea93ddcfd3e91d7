// Remembers what a pure function of one text gave; rules are few and judged on every tool call.

export function memoise<T>(compute: (text: string) => T): (text: string) => T {
	const known = new Map<string, T>();
	return (text) => {
		const found = known.get(text);
		if (found !== undefined) return found;
		const value = compute(text);
		if (known.size >= MAX_REMEMBERED) known.clear();
		known.set(text, value);
		return value;
	};
}

const MAX_REMEMBERED = 1_000;
