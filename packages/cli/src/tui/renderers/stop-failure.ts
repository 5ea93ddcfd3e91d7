// The agent was stopped by an error.

import { because } from '@roost/core/display/first-line';
import { stopWords } from '@roost/core/feed/plain-words';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer } from './renderer.ts';

export const stopFailure: Renderer<'stop.failure'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }) => row(span(`Stopped by an error${because(data.last_assistant_message ?? stopWords(data.error))}`, 'bad')),
	body: (event, { styles }, width) => failureRows(event, width, styles),
};

function* failureRows({ data }: FeedEventOf<'stop.failure'>, width: number, styles: Styles): Generator<Row> {
	yield* wrapped(stopWords(data.error), width, 'bad');
	if (data.last_assistant_message) yield* markdownRows(data.last_assistant_message, width, styles);
}
