// What a person typed, as a full-text query: every word is data, whatever operators it looks like.

/** Undefined when there is nothing to look for. The last word also matches longer words that begin with it. */
export function toFullTextQuery(words: string): string | undefined {
	const terms = words
		// A zero byte would end the query in the middle of a quoted word.
		.replaceAll('\0', ' ')
		.split(/\s+/u)
		.filter((word) => word !== '')
		.map((word) => `"${word.replaceAll('"', '""')}"`);
	return terms.length === 0 ? undefined : `${terms.join(' ')} *`;
}
