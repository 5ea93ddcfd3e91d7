// What the renderers share: named values, JSON, texts, and events of one sentence.

import { firstLine } from '@roost/core/display/first-line';
import { toJson } from '@roost/core/display/to-json';
import type { Fields } from '@roost/core/display/tools/fields';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, rowWidth, span } from '../screen/row.ts';
import type { Glyphs, Tone } from '../screen/styles.ts';
import type { Renderer, Sign } from './renderer.ts';

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
