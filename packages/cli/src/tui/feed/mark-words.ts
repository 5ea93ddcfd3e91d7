// Found words stand out in the rows that are on the screen. A row whose columns would shift is left as it is.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { Row, Span } from '../screen/row.ts';
import { widthOf } from '../screen/text.ts';
import { toPattern } from './feed-search.ts';

/** The same row for the same words, so that its line need not be made again. */
export function markWords(row: Row, words: string): Row {
	const known = marked.get(row);
	if (known?.words === words) return known.row;
	const pattern = toPattern(words, true);
	// The first span is the time, or the margin below it.
	const made = row.flatMap((part, index) => (index === 0 ? [part] : markSpan(part, pattern)));
	const result = made.length === row.length ? row : made;
	marked.set(row, { words, row: result });
	return result;
}

const marked = new WeakMap<Row, { words: string; row: Row }>();

function markSpan(part: Span, pattern: RegExp): Span[] {
	const parts: Span[] = [];
	let end = 0;
	for (const { 0: found, index } of part.text.matchAll(pattern)) {
		if (index > end) parts.push({ ...part, text: part.text.slice(end, index) });
		parts.push({ ...part, text: found, tone: 'found', over: undefined });
		end = index + found.length;
	}
	if (parts.length === 0) return [part];
	if (end < part.text.length) parts.push({ ...part, text: part.text.slice(end) });
	const fixed = parts.map((one, index) => (index === 0 ? one : { ...one, fixed: undefined }));
	return isAsWide(part, fixed) ? fixed : [part];
}

/** A character may be drawn together with the one before it. */
function isAsWide(part: Span, parts: readonly Span[]): boolean {
	const width = (text: string) => widthOf(sanitiseLine(text));
	return parts.reduce((sum, { text }) => sum + width(text), 0) === width(part.text);
}
