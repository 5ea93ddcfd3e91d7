// A tool call, with its result once that is there.

import { firstLine } from '@roost/core/display/first-line';
import { failureWords } from '@roost/core/feed/plain-words';
import type { FeedEntry, ToolResult } from '@roost/core/views/feed-list';
import { ranWith } from '@roost/core/views/ran-with';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { type Decision, outcomeOf } from './permission-decision.ts';
import type { Renderer, Sign } from './renderer.ts';
import { callBody } from './tools/call-body.ts';
import { callLine } from './tools/call-line.ts';

export const toolPre: Renderer<'tool.pre'> = {
	sign: (_, entry) => signOf(entry),
	line({ data }, context) {
		const { result, decision } = context.entry;
		const failed = decision?.data.decision_type === 'deny' ? decidedSpans(decision.data) : failedSpans(result);
		const ran = ranWith(data.tool_input, result);
		if (!ran) return [...callLine(data, context), ...failed];
		return [...callLine({ ...data, tool_input: ran }, context), span('  changed before it ran', 'warn'), ...failed];
	},
	body: (event, { entry, styles }, width) => bodyRows(event, entry, width, styles),
};

function* bodyRows(
	event: FeedEventOf<'tool.pre'>,
	{ result, decision }: FeedEntry,
	width: number,
	styles: Styles,
): Generator<Row> {
	if (decision) yield row(...decidedSpans(decision.data));
	yield* callBody(event, result, width, styles);
}

function failedSpans(result: ToolResult | undefined): Span[] {
	return result?.kind === 'tool.failure' ? [span(`  ${firstLine(failureWords(result.data.error))}`, 'bad')] : [];
}

/** Decided before anybody was asked; where that was a no, the error says no more. */
function decidedSpans(data: Decision): Span[] {
	const { words, tone } = outcomeOf(data);
	return [span(`  ${words}`, tone), span(`  ${decidedBy(data)}`, 'faint')];
}

function signOf({ result, decision }: FeedEntry): Sign {
	if (!result && decision?.data.decision_type === 'deny') return { glyph: 'failed', tone: 'bad' };
	if (!result) return { glyph: 'working', tone: 'tool' };
	return result.kind === 'tool.post' ? { glyph: 'ok', tone: 'tool' } : { glyph: 'failed', tone: 'bad' };
}
