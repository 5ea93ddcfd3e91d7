// How one kind of event looks: a glyph with a tone, one line, and what it shows when it is opened.

import { firstLine } from '@roost/core/display/first-line';
import { toJson } from '@roost/core/display/to-json';
import type { Fields } from '@roost/core/display/tools/fields';
import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { Glyphs, Styles, Tone } from '../screen/styles.ts';

/** A glyph of the look, so that plain terminals get theirs. */
export type Sign = { readonly glyph: keyof Glyphs; readonly tone: Tone };

/** What an event stands in. */
export type Context = {
	readonly entry: FeedEntry;
	/** Where the session works: paths below it are shown without it. */
	readonly cwd?: string;
	readonly styles: Styles;
};

export type Renderer<Kind extends FeedEventKind = FeedEventKind> = {
	sign(event: FeedEventOf<Kind>, entry: FeedEntry): Sign;
	/** What stands on its line, after time, actor and glyph. */
	line(event: FeedEventOf<Kind>, context: Context): Row;
	/** What stands below when it is open, made as it is asked for; undefined where there is nothing to open. */
	body?(event: FeedEventOf<Kind>, context: Context, width: number): Iterable<Row> | undefined;
	/** Open from the start, unless the event says otherwise. */
	readonly opens?: boolean;
	/** The body begins on the line, in place of what stood there. */
	readonly flows?: boolean;
};

/** All but those that are shown in another way already. */
export function* fieldRows(fields: Fields, width: number, shown: readonly string[] = []): Generator<Row> {
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined || shown.includes(name)) continue;
		const text = typeof value === 'string' ? value : toJson(value);
		const label = [span(`${name}: `, 'faint')];
		yield* text.includes('\n') || rowWidth(label) > width / 2 ? blockRows(name, text, width) : hanging(label, text, width);
	}
}

/** A name as long as it likes must not leave its text without room. */
function* blockRows(name: string, text: string, width: number): Generator<Row> {
	yield* hanging([], `${name}:`, width, 'faint');
	yield* hanging([span('  ')], text, width);
}

/** Any value as pretty JSON. */
export function* jsonRows(value: unknown, width: number): Generator<Row> {
	yield* wrapped(toJson(value), width, 'code');
}

type Prose<Kind extends FeedEventKind> = { sign: Sign; tone?: Tone; textOf: (event: FeedEventOf<Kind>) => string };

/** What people and agents say is read, so it is open from the start. */
export function prose<Kind extends FeedEventKind>({ sign, tone, textOf }: Prose<Kind>): Renderer<Kind> {
	return {
		sign: () => sign,
		line: (event) => row(span(firstLine(textOf(event)), tone)),
		body: (event, { styles }, width) => markdownRows(textOf(event).trim(), width, styles, tone),
		opens: true,
		flows: true,
	};
}

/** Its title, unless other words are given; always the same sign. */
export function titled<Kind extends FeedEventKind>(
	glyph: keyof Glyphs,
	tone: Tone,
	words: (event: FeedEventOf<Kind>) => string = ({ title }) => title,
): Renderer<Kind> {
	return { sign: () => ({ glyph, tone }), line: (event) => row(span(words(event), tone)) };
}
