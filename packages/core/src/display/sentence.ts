// A sentence made of a message that may end with a period of its own.

/** With exactly one period at its end. */
export function toSentence(text: string): string {
	return `${text.replace(/[.\s]+$/, '')}.`;
}
