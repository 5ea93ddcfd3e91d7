// An MCP server asks for something.

import { firstLine } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import { jsonRows } from './json-rows.ts';
import type { Renderer } from './renderer.ts';

export const elicitationRequest: Renderer<'elicitation.request'> = {
	sign: () => ({ glyph: 'question', tone: 'warn' }),
	line: ({ data }) => row(span(`${data.mcp_server_name}: `, 'tool'), span(firstLine(data.message), 'warn')),
	body: (event, _, width) => requestRows(event, width),
};

function* requestRows({ data }: FeedEventOf<'elicitation.request'>, width: number): Generator<Row> {
	yield* wrapped(data.message, width);
	if (data.requested_schema !== undefined) yield* jsonRows(data.requested_schema, width);
}
