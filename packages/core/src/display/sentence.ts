// A sentence made of somebody else's words, which may bring a period of their own.

/** With exactly one period at its end. */
export function toSentence(text: string): string {
	return `${text.replace(/[.\s]+$/, '')}.`;
}
