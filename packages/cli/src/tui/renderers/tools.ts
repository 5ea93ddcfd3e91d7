// Tool calls and their results.
import { firstLine } from '@roost/core/display/first-line';
import type { Fields } from '@roost/core/display/tools/fields';
import { failureWords } from '@roost/core/feed/plain-words';
import type { Decision } from '@roost/core/views/decision-outcome';
import type { FeedEntry, ToolResult } from '@roost/core/views/feed-list';
import { ranWith } from '@roost/core/views/ran-with';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { behind, hanging, wrappedSpans } from '../parts/wrapped.ts';
import { type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import { bySpans, outcomeOf } from './permissions.ts';
import type { Context, Renderer, Sign } from './renderer.ts';
import { callLine, inputRows } from './tools/input-rows.ts';
import { resultRows } from './tools/result-rows.ts';

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

/** Decided without asking; a denial is shown instead of the error. */
function decidedSpans(data: Decision): Span[] {
	const { words, tone, by } = outcomeOf(data);
	return [span(`  ${words}`, tone), ...bySpans(by)];
}

function signOf({ result, decision }: FeedEntry): Sign {
	if (!result && decision?.data.decision_type === 'deny') return { glyph: 'failed', tone: 'bad' };
	if (!result) return { glyph: 'working', tone: 'tool' };
	return result.kind === 'tool.post' ? { glyph: 'ok', tone: 'tool' } : { glyph: 'failed', tone: 'bad' };
}

/** A result without its call. */
export const toolPost: Renderer<'tool.post'> = {
	sign: () => ({ glyph: 'ok', tone: 'tool' }),
	line: ({ data }, context) => [...callLine(data, context), span('  done', 'faint')],
	body: (event, { styles }, width) => callBody(event, event, width, styles),
};

/** A failure without its call. */
export const toolFailure: Renderer<'tool.failure'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }, context) => [...callLine(data, context), span(`  ${firstLine(failureWords(data.error))}`, 'bad')],
	body: (event, { styles }, width) => callBody(event, event, width, styles),
	opens: true,
};

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

type ToolEvent = FeedEventOf<'tool.pre'> | ToolResult;

function* callBody({ data }: ToolEvent, result: ToolResult | undefined, width: number, styles: Styles): Generator<Row> {
	const response = result?.kind === 'tool.post' ? result.data.tool_response : undefined;
	const ran = ranWith(data.tool_input, result);
	const call = { tool: data.tool_name, input: ran ?? data.tool_input, response };
	if (result?.kind === 'tool.failure') yield* failureRows(result, width, styles);
	if (ran) yield* under('wanted', inputRows({ ...call, input: data.tool_input, response: undefined }, width, styles));
	yield* ran ? under('ran instead', inputRows(call, width, styles)) : inputRows(call, width, styles);
	const came = resultRows(call, width, styles);
	// Output follows a shell command directly; other results get a heading.
	yield* call.tool === 'Bash' ? came : under('result', came);
}

function* under(word: string, rows: Iterable<Row>): Generator<Row> {
	let message = false;
	for (const one of rows) {
		if (!message) yield row(span(word, 'faint'));
		message = true;
		yield one;
	}
}

function* failureRows({ data }: FeedEventOf<'tool.failure'>, width: number, styles: Styles): Generator<Row> {
	yield* hanging([span(`${styles.glyphs.failed} `, 'bad')], failureWords(data.error), width, 'bad');
	if (data.is_interrupt) yield row(span('It was interrupted.', 'warn'));
}
