// How one kind of event looks: a glyph with a tone, one line, and what it shows when it is opened.

import type { FeedEntry } from '@roost/core/views/feed-list';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { Row } from '../screen/row.ts';
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
