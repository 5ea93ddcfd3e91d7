// A call with what became of it: the error first where it failed, then what was asked for, then what came back.

import { failureWords } from '@roost/core/feed/plain-words';
import type { ToolResult } from '@roost/core/views/feed-list';
import { ranWith } from '@roost/core/views/ran-with';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { hanging } from '../../parts/wrapped.ts';
import { type Row, row, span } from '../../screen/row.ts';
import type { Styles } from '../../screen/styles.ts';
import { inputRows } from './input-rows.ts';
import { resultRows } from './result-rows.ts';

type ToolEvent = FeedEventOf<'tool.pre'> | ToolResult;

export function* callBody({ data }: ToolEvent, result: ToolResult | undefined, width: number, styles: Styles): Generator<Row> {
	const response = result?.kind === 'tool.post' ? result.data.tool_response : undefined;
	const ran = ranWith(data.tool_input, result);
	const call = { tool: data.tool_name, input: ran ?? data.tool_input, response };
	if (result?.kind === 'tool.failure') yield* failureRows(result, width, styles);
	if (ran) yield* under('wanted', inputRows({ ...call, input: data.tool_input, response: undefined }, width, styles));
	yield* ran ? under('ran instead', inputRows(call, width, styles)) : inputRows(call, width, styles);
	const came = resultRows(call, width, styles);
	// An output follows its command as it does in a terminal; anything else needs a word between.
	yield* call.tool === 'Bash' ? came : under('result', came);
}

function* under(word: string, rows: Iterable<Row>): Generator<Row> {
	let said = false;
	for (const one of rows) {
		if (!said) yield row(span(word, 'faint'));
		said = true;
		yield one;
	}
}

function* failureRows({ data }: FeedEventOf<'tool.failure'>, width: number, styles: Styles): Generator<Row> {
	yield* hanging([span(`${styles.glyphs.failed} `, 'bad')], failureWords(data.error), width, 'bad');
	if (data.is_interrupt) yield row(span('It was interrupted.', 'warn'));
}
