// Records a secret that was found and gives the text that stands in its place.
export type Mark = (kind: string, secret: string) => string;

/** Takes a secret that was found between two places of a text. */
export type Add = (kind: string, start: number, end: number) => void;

/** A variable, an example or a mark of ours stands in the place of a secret. */
export function isPlaceholder(value: string): boolean {
	return PLACEHOLDER.test(value);
}

const PLACEHOLDER =
	/^(?:[$<{%[(`]|\\?["']?\[redacted:|\*+|x{4,}|\.{3,}|…|your|my[-_]|change|example|placeholder|redacted|process\.env|os\.|env\.|null\b|undefined\b|string\b|number\b|boolean\b|required\b|optional\b|true\b|false\b|none\b)/i;
