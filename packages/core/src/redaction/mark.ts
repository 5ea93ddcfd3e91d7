// Records a secret that was found, and returns the text that replaces it.
export type Mark = (kind: string, secret: string) => string;

/** Reports a secret between two positions of a text. */
export type Add = (kind: string, start: number, end: number) => void;

/** A variable, an example or one of our marks in place of a secret. */
export function isPlaceholder(value: string): boolean {
	return PLACEHOLDER.test(value);
}

const PLACEHOLDER =
	/^(?:[$<{%[(`]|\\?["']?\[redacted:|\*+|x{4,}|\.{3,}|…|your|my[-_]|change|example|placeholder|redacted|process\.env|os\.|env\.|null\b|undefined\b|string\b|number\b|boolean\b|required\b|optional\b|true\b|false\b|none\b)/i;
