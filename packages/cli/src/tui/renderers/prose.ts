// Kinds that are, above all, a text: its first line in the list, all of it as markdown when it is opened.

import { firstLine } from '@roost/core/display/first-line';
import type { FeedEventKind, FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import type { Renderer, Sign } from './renderer.ts';

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
