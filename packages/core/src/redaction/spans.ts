// Merges the secrets found in one text, and replaces them.
import type { Add, Mark } from './mark.ts';

export type Span = { kind: string; start: number; end: number };

/** Overlapping spans are merged: the widest one determines the kind, or the first of equally wide ones. */
export function collectSpans(search: (add: Add) => void): Span[] {
	const found: Span[] = [];
	search((kind, start, end) => void (end > start && found.push({ kind, start, end })));
	if (found.length < 2) return found;
	const merged: Span[] = [];
	for (const span of found.sort((left, right) => left.start - right.start)) {
		const last = merged.at(-1);
		if (!last || span.start >= last.end) merged.push(span);
		else if (span.end > last.end) merged[merged.length - 1] = { ...widest(last, span), start: last.start, end: span.end };
	}
	return merged;
}

function widest(left: Span, right: Span): Span {
	return right.end - right.start > left.end - left.start ? right : left;
}

export function replaceSpans(text: string, spans: readonly Span[], mark: Mark): string {
	let result = '';
	let at = 0;
	for (const { kind, start, end } of spans) {
		result += text.slice(at, start) + mark(kind, text.slice(start, end));
		at = end;
	}
	return at === 0 ? text : result + text.slice(at);
}
