// The plain way to show an event: one sentence, and nothing more to open.
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { row, span } from '../screen/row.ts';
import type { Glyphs, Tone } from '../screen/styles.ts';
import type { Renderer } from './renderer.ts';

/** Its title, unless other words are given; always the same sign. */
export function titled<Kind extends FeedEventKind>(
	glyph: keyof Glyphs,
	tone: Tone,
	words: (event: FeedEventOf<Kind>) => string = ({ title }) => title,
): Renderer<Kind> {
	return { sign: () => ({ glyph, tone }), line: (event) => row(span(words(event), tone)) };
}
