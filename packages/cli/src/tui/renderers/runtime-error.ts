// Something went wrong in Roost or between it and the agent.

import { firstLine } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const runtimeError: Renderer<'runtime.error'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }) => row(span(firstLine(data.message), 'bad')),
	body: (event, _, width) => errorRows(event, width),
};

function* errorRows({ data }: FeedEventOf<'runtime.error'>, width: number): Generator<Row> {
	yield* wrapped(data.message, width, 'bad');
	yield* wrapped(`code: ${data.code}`, width, 'faint');
	if (data.detail) yield* wrapped(data.detail, width, 'faint');
}
