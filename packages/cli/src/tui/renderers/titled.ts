// The plain way to show an event: its title, and nothing more to open.
import type { FeedEventKind } from '@roost/protocol/feed/event';
import type { Glyphs, Tone } from '../screen/look.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

/** Titles begin with a sign of their own where they stand alone; here the glyph says it. */
const LEADING_SIGN = /^[●⎿⚠✓✗✘■▶◆☐☑?]\s+/u;

export function titled<Kind extends FeedEventKind>(glyph: keyof Glyphs, tone: Tone): Renderer<Kind> {
	return { glyph, tone, line: (event) => row(span(event.title.replace(LEADING_SIGN, ''), tone)) };
}
