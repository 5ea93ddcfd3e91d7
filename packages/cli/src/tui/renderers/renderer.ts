// How one kind of event looks: a glyph with a tone, one line, and what it shows when it is opened.
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import type { FeedEntry } from '../feed/feed-list.ts';
import type { Glyphs, Look, Tone } from '../screen/look.ts';
import type { Row } from '../screen/row.ts';

export type Renderer<Kind extends FeedEventKind = FeedEventKind> = {
	/** A glyph of the look, so that plain terminals get theirs. */
	readonly glyph: keyof Glyphs;
	readonly tone: Tone;
	/** What stands on its line, after time, actor and glyph. */
	line(event: FeedEventOf<Kind>, entry: FeedEntry): Row;
	/** What stands below when it is open; kinds without it cannot be opened in place. */
	body?(event: FeedEventOf<Kind>, entry: FeedEntry, room: { width: number; look: Look }): readonly Row[];
};
