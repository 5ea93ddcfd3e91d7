// A session in sum: how much there was, and what the agent said last.
import { plural } from '@roost/core/display/plural';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer } from './renderer.ts';

export const sessionSummary: Renderer<'session.summary'> = {
	sign: ({ data }) => (data.error ? { glyph: 'failed', tone: 'bad' } : { glyph: 'bullet', tone: 'faint' }),
	line: ({ data }) => row(span(`Summary: ${plural(data.messages, 'message')}, ${plural(data.tool_calls, 'tool call')}`, 'faint')),
	body: (event, { styles }, width) =>
		event.data.error || event.data.last_assistant_text ? summaryRows(event, width, styles) : undefined,
};

function* summaryRows({ data }: FeedEventOf<'session.summary'>, width: number, styles: Styles): Generator<Row> {
	if (data.error) yield* wrapped(data.error, width, 'bad');
	if (data.last_assistant_text) yield* markdownRows(data.last_assistant_text, width, styles);
}
