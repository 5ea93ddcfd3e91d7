// User input as a full-text query: every word is quoted, so that no operator applies.

export function toTerms(words: string): string[] {
	return (
		words
			// A zero byte would end the query in the middle of a quoted word.
			.replaceAll('\0', ' ')
			.split(/\s+/u)
			.filter((word) => word !== '')
	);
}

/** Undefined without words. The last word is a prefix: it also matches longer words. */
export function toFullTextQuery(words: string): string | undefined {
	const terms = toTerms(words).map((word) => `"${word.replaceAll('"', '""')}"`);
	return terms.length === 0 ? undefined : `${terms.join(' ')} *`;
}
