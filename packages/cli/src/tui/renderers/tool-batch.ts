// Several calls that ended together.

import type { Fields } from '@roost/core/display/tools/fields';
import { behind, wrappedSpans } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Context, Renderer } from './renderer.ts';
import { callLine } from './tools/call-line.ts';

export const toolBatch: Renderer<'tool.batch'> = {
	sign: () => ({ glyph: 'working', tone: 'faint' }),
	line: ({ data }) => row(span(`${data.tool_calls.length} calls together`, 'faint')),
	body: ({ data }, context, width) => batchRows(data.tool_calls, context, width),
};

type Batched = { tool_name: string; tool_input: Fields };

function* batchRows(calls: readonly Batched[], context: Context, width: number): Generator<Row> {
	const margin = [span(`${context.styles.glyphs.bullet} `, 'faint')];
	for (const call of calls) yield* behind(margin, wrappedSpans(callLine(call, context), width - 2));
}
