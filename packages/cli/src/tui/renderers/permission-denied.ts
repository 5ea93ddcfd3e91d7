// The agent's own refusal, without Roost.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer } from './renderer.ts';
import { callLine } from './tools/call-line.ts';
import { inputRows } from './tools/input-rows.ts';

export const permissionDenied: Renderer<'permission.denied'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }, context) => [span('Denied by the agent: ', 'bad'), ...callLine(data, context)],
	body: (event, { styles }, width) => deniedRows(event, width, styles),
};

function* deniedRows({ data }: FeedEventOf<'permission.denied'>, width: number, styles: Styles): Generator<Row> {
	if (data.reason) yield* wrapped(data.reason, width, 'bad');
	yield* inputRows({ tool: data.tool_name, input: data.tool_input }, width, styles);
}
