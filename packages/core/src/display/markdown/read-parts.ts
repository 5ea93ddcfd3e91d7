// Markdown line by line: each line by itself, except for code and tables.
import { linesOf } from '../lines.ts';
import type { Block, Item, Line, Table } from './block.ts';
import { readSpans } from './read-spans.ts';
import { readTable } from './read-table.ts';

export type Part =
	| Extract<Block, { type: 'heading' | 'rule' | 'code' }>
	| Table
	| { readonly type: 'text' | 'quote'; readonly line: Line }
	| { readonly type: 'item'; readonly item: ItemPart }
	| { readonly type: 'blank' };

export type ItemPart = Omit<Item, 'gap' | 'lists'>;

const FENCE = /^\s{0,3}(```+|~~~+)(.*)$/su;
const BARS = /^\s*\|.*\|\s*$/u;
/** A longer line is text. */
export const LONGEST_LINE = 4_096;

type OpenCode = { readonly fence: string; readonly language: string; readonly lines: string[] };

export function* readParts(text: string): Generator<Part> {
	let open: OpenCode | undefined;
	let bars: string[] = [];
	for (const line of linesOf(text)) {
		if (open && isEnd(line, open.fence)) {
			yield toCode(open);
			open = undefined;
		} else if (open) {
			open.lines.push(line);
		} else if (line.length <= LONGEST_LINE && BARS.test(line)) {
			bars.push(line);
		} else {
			yield* barParts(bars);
			bars = [];
			open = codeFrom(line);
			if (!open) yield partOf(line);
		}
	}
	// Without an end, the rest of the text is code.
	if (open) yield toCode(open);
	yield* barParts(bars);
}

function codeFrom(line: string): OpenCode | undefined {
	const [, fence, language = ''] = FENCE.exec(line) ?? [];
	return fence === undefined ? undefined : { fence, language: language.trim(), lines: [] };
}

/** At least as long as the fence that began it, and nothing after it. */
function isEnd(line: string, begin: string): boolean {
	const [, fence, rest = ''] = FENCE.exec(line) ?? [];
	return fence?.startsWith(begin) === true && rest.trim() === '';
}

function toCode({ language, lines }: OpenCode): Part {
	return { type: 'code', language, lines };
}

function* barParts(lines: readonly string[]): Generator<Part> {
	const table = readTable(lines);
	if (table) yield table;
	else for (const line of lines) yield { type: 'text', line: plain(line) };
}

const BLANK = /^[ \t]*$/u;
const RULE = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/u;
const QUOTE = /^\s{0,3}>\s?(.*)$/u;

function partOf(line: string): Part {
	if (BLANK.test(line)) return { type: 'blank' };
	if (line.length > LONGEST_LINE) return { type: 'text', line: plain(line) };
	const heading = headingOf(line);
	if (heading) return heading;
	if (RULE.test(line)) return { type: 'rule' };
	const quoted = QUOTE.exec(line)?.[1];
	if (quoted !== undefined) return { type: 'quote', line: readSpans(quoted) };
	const item = itemOf(line);
	return item ? { type: 'item', item } : { type: 'text', line: readSpans(line) };
}

function plain(line: string): Line {
	return [{ type: 'text', text: line }];
}

const HEADING = /^\s{0,3}(#{1,6})\s+/u;
const OTHER_BREAK = /[\r\u2028\u2029]/u;

function headingOf(line: string): Part | undefined {
	const [mark, signs = ''] = HEADING.exec(line) ?? [];
	if (mark === undefined) return undefined;
	const title = withoutClosing(line.slice(mark.length));
	return OTHER_BREAK.test(title) ? undefined : { type: 'heading', level: signs.length, line: readSpans(title) };
}

/** Signs at the end close a heading only after a space: "C#" is a name. */
function withoutClosing(text: string): string {
	const whole = text.trimEnd();
	let end = whole.length;
	while (whole[end - 1] === '#') end -= 1;
	const title = whole.slice(0, end).trimEnd();
	return title.length < end || end === 0 ? title : whole;
}

/** No space before the text, or a line that is no item would be tried once for each space. */
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?(?!\s)(.*)$/u;
const DEEPEST = 12;

function itemOf(line: string): ItemPart | undefined {
	const found = ITEM.exec(line);
	if (!found) return undefined;
	const [, space = '', ordinal, box, text = ''] = found;
	return {
		indent: Math.min(space.replaceAll('\t', '  ').length, DEEPEST),
		...(ordinal === undefined ? {} : { ordinal }),
		...(box === undefined ? {} : { done: box !== ' ' }),
		line: readSpans(text),
	};
}
