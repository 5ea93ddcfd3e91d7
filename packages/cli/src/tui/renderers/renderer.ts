// How a kind of event is drawn: sign, line, and body when it is expanded.
import { firstLine } from '@roost/core/display/first-line';
import { toJson } from '@roost/core/display/to-json';
import type { Fields } from '@roost/core/display/tools/fields';
import { wordedFields } from '@roost/core/display/worded-fields';
import { eventTitle } from '@roost/core/feed/title';
import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { Glyphs, Styles, Tone } from '../screen/styles.ts';

export type Sign = { readonly glyph: keyof Glyphs; readonly tone: Tone };

export type Context = {
	readonly entry: FeedEntry;
	/** Paths below it are shortened. */
	readonly cwd?: string;
	readonly styles: Styles;
};

export type Renderer<Kind extends FeedEventKind = FeedEventKind> = {
	sign(event: FeedEventOf<Kind>, entry: FeedEntry): Sign;
	/** The text after time, actor and glyph. */
	line(event: FeedEventOf<Kind>, context: Context): Row;
	/** Shown when expanded, made when needed; undefined if there is nothing to expand. */
	body?(event: FeedEventOf<Kind>, context: Context, width: number): Iterable<Row> | undefined;
	/** Expanded by default. */
	readonly opens?: boolean;
	/** The body starts on the line, instead of `line`. */
	readonly flows?: boolean;
};

/** All fields but `shown`. */
export function* fieldRows(fields: Fields, width: number, shown: readonly string[] = []): Generator<Row> {
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || shown.includes(name)) continue;
		const text = typeof value === 'string' ? value : toJson(value);
		const label = [span(`${name}: `, 'faint')];
		yield* text.includes('\n') || rowWidth(label) > width / 2 ? blockRows(name, text, width) : hanging(label, text, width);
	}
}

/** All fields in words, nested ones beside the others. */
export function* wordedRows(fields: object, width: number): Generator<Row> {
	for (const { name, text } of wordedFields(fields)) yield* fieldRows({ [name]: text }, width);
}

/** A long name must not leave its text without room. */
function* blockRows(name: string, text: string, width: number): Generator<Row> {
	yield* hanging([], `${name}:`, width, 'faint');
	yield* hanging([span('  ')], text, width);
}

export function* jsonRows(value: unknown, width: number): Generator<Row> {
	yield* wrapped(toJson(value), width, 'code');
}

type Prose<Kind extends FeedEventKind> = { sign: Sign; tone?: Tone; textOf: (event: FeedEventOf<Kind>) => string };

/** Prose is expanded by default. */
export function prose<Kind extends FeedEventKind>({ sign, tone, textOf }: Prose<Kind>): Renderer<Kind> {
	return {
		sign: () => sign,
		line: (event) => row(span(firstLine(textOf(event)), tone)),
		body: (event, { styles }, width) => markdownRows(textOf(event).trim(), width, styles, tone),
		opens: true,
		flows: true,
	};
}

/** A fixed sign and the title, unless `words` is given. */
export function titled<Kind extends FeedEventKind>(
	glyph: keyof Glyphs,
	tone: Tone,
	words: (event: FeedEventOf<Kind>) => string = eventTitle,
): Renderer<Kind> {
	return { sign: () => ({ glyph, tone }), line: (event) => row(span(words(event), tone)) };
}
