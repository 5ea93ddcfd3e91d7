// Takes out of Claude's words what must not be repeated: values that were given to it, and the headers it echoes.

export function hideValues(text: string, values: readonly string[]): string {
	const longestFirst = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
	const hidden = longestFirst.reduce((words, value) => words.replaceAll(value, '[hidden]'), text);
	return hidden.replace(ECHOED_HEADERS, '');
}

/** A value of one or two letters is found in every word. */
const SHORTEST = 3;
/** Claude hides only the values of headers whose names look secret to it. */
const ECHOED_HEADERS = /^Headers: \{\n[\s\S]*?^\}\n?/m;
