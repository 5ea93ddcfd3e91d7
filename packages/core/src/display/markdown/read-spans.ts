// The spans of one line. Spans do not nest; a mark without its counterpart is text. Each character is visited a fixed number of times.
import type { Span } from './block.ts';

type Found = { readonly from: number; readonly to: number; readonly span: Span };

export function readSpans(line: string): readonly Span[] {
	const spans: Span[] = [];
	const linkAt = createLinkReader(line);
	let read = 0;
	let at = nextMark(line, 0);
	while (at < line.length) {
		const found = spanAt(line, at, linkAt);
		if (found) {
			spans.push(...textSpans(line.slice(read, found.from)), found.span);
			read = found.to;
		}
		at = nextMark(line, found?.to ?? endOfMark(line, at));
	}
	spans.push(...textSpans(line.slice(read)));
	return spans;
}

const MARK = /[`*_[!]/gu;
const NO_TICK = /[^`]/gu;
const STAR_OR_UNDERSCORE = /[*_]/gu;
const ADDRESS_END = /[()\s]/gu;

function nextMark(line: string, from: number): number {
	return nextOf(MARK, line, from);
}

/** The end of the line if there is none. */
function nextOf(pattern: RegExp, line: string, from: number): number {
	pattern.lastIndex = from;
	return pattern.exec(line)?.index ?? line.length;
}

function endOfMark(line: string, at: number): number {
	return line[at] === '`' ? endOfTicks(line, at) : at + 1;
}

function endOfTicks(line: string, from: number): number {
	return nextOf(NO_TICK, line, from);
}

type LinkReader = (at: number) => Found | undefined;

function spanAt(line: string, at: number, linkAt: LinkReader): Found | undefined {
	switch (line[at]) {
		case '`':
			return codeAt(line, at);
		case '[':
			return linkAt(at);
		case '!':
			return line[at + 1] === '[' ? imageAt(at, linkAt) : undefined;
		default:
			return strongAt(line, at) ?? emphasisAt(line, at);
	}
}

/** As many ticks after it as before it; more before it are text. */
function codeAt(line: string, at: number): Found | undefined {
	const from = endOfTicks(line, at);
	const to = line.indexOf('`', from);
	if (to < 0) return undefined;
	const end = endOfTicks(line, to);
	const ticks = end - to;
	return ticks <= from - at ? { from: from - ticks, to: end, span: { type: 'code', text: line.slice(from, to) } } : undefined;
}

function strongAt(line: string, at: number): Found | undefined {
	if (!line.startsWith('**', at) || !isNoSpace(line[at + 2])) return undefined;
	const to = line.indexOf('*', at + 2);
	if (to <= at + 2 || line[to + 1] !== '*') return undefined;
	return { from: at, to: to + 2, span: { type: 'strong', text: line.slice(at + 2, to) } };
}

/** Not inside a word, so that names with underscores and products stay as they are. */
function emphasisAt(line: string, at: number): Found | undefined {
	if (isWordOrStar(line[at - 1]) || !isNoSpace(line[at + 1])) return undefined;
	const to = nextOf(STAR_OR_UNDERSCORE, line, at + 1);
	if (to === at + 1 || line[to] !== line[at] || !isNoSpace(line[to - 1]) || isWordOrStar(line[to + 1])) return undefined;
	return { from: at, to: to + 1, span: { type: 'emphasis', text: line.slice(at + 1, to) } };
}

function isNoSpace(character: string | undefined): boolean {
	return character !== undefined && /\S/u.test(character);
}

function isWordOrStar(character: string | undefined): boolean {
	return character !== undefined && /[\w*]/u.test(character);
}

const LONGEST_LABEL = 500;
const LONGEST_ADDRESS = 2_000;

/** Remembers the next "]" and its address: many "[" may share them. */
function createLinkReader(line: string): LinkReader {
	let close = -1;
	let address: string | undefined;

	return (at) => {
		if (close < at) {
			const next = line.indexOf(']', at);
			close = next < 0 ? line.length : next;
			address = addressAfter(line, close);
		}
		if (address === undefined || close - at - 1 > LONGEST_LABEL) return undefined;
		const text = line.slice(at + 1, close);
		const to = close + address.length + 3;
		return { from: at, to, span: { type: 'link', text, address, safe: isSafe(address) } };
	};
}

function addressAfter(line: string, close: number): string | undefined {
	if (line[close + 1] !== '(') return undefined;
	const from = close + 2;
	const to = nextOf(ADDRESS_END, line, from);
	return line[to] === ')' && to > from && to - from <= LONGEST_ADDRESS ? line.slice(from, to) : undefined;
}

function isSafe(address: string): boolean {
	return /^https?:\/\//iu.test(address);
}

function imageAt(at: number, linkAt: LinkReader): Found | undefined {
	const found = linkAt(at + 1);
	if (found?.span.type !== 'link') return undefined;
	const { text, address } = found.span;
	return { from: at, to: found.to, span: { type: 'image', text, address } };
}

const STRIKE = /(?<!~)~~(?=[^\s~])([^~]*[^\s~])~~(?!~)/gu;

function* textSpans(text: string): Generator<Span> {
	let from = 0;
	for (const found of text.matchAll(STRIKE)) {
		if (found.index > from) yield { type: 'text', text: text.slice(from, found.index) };
		yield { type: 'strike', text: found[1] ?? '' };
		from = found.index + found[0].length;
	}
	if (from < text.length) yield { type: 'text', text: text.slice(from) };
}
