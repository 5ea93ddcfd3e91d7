// Sessions, runs, usage, and what happens around them: compaction, models, notifications, errors, rules.
import { money } from '@roost/core/display/amounts';
import { because, firstLine } from '@roost/core/display/first-line';
import { plural } from '@roost/core/display/plural';
import { rowTitle } from '@roost/core/views/row-title';
import { counterWords, namedCounters, tokenWords } from '@roost/core/views/usage-words';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { hanging, wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { fieldRows, jsonRows, type Renderer, type Sign, titled } from './renderer.ts';

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

export const runStart: Renderer<'run.start'> = titled('bullet', 'faint', (event) => rowTitle(event));

const SIGNS: Record<FeedEventOf<'run.end'>['data']['status'], Sign> = {
	completed: { glyph: 'ok', tone: 'good' },
	failed: { glyph: 'failed', tone: 'bad' },
	aborted: { glyph: 'ended', tone: 'warn' },
};

export const runEnd: Renderer<'run.end'> = {
	sign: ({ data }) => SIGNS[data.status],
	line: ({ data }) => {
		const { tone } = SIGNS[data.status];
		const counted = counterWords(data.counters);
		return row(span(`Run ${data.status}${because(data.reason)}`, tone), ...(counted ? [span(`  ${counted}`, 'faint')] : []));
	},
	body: ({ data }, _, width) => endRows(data, width),
};

function* endRows(data: FeedEventOf<'run.end'>['data'], width: number): Generator<Row> {
	if (data.reason) yield* wrapped(data.reason, width);
	for (const [name, count] of namedCounters(data.counters))
		yield* wrapped(`${name}: ${count}`, width, count > 0 ? undefined : 'faint');
}

export const usageUpdate: Renderer<'usage.update'> = {
	sign: () => ({ glyph: 'bullet', tone: 'faint' }),
	line: ({ data }) => row(span(`Usage: ${data.total.input_tokens} in, ${data.total.output_tokens} out${cost(data)}`, 'faint')),
	body: ({ data }, _, width) => usageRows(data, width),
};

type Usage = FeedEventOf<'usage.update'>['data'];

function* usageRows(data: Usage, width: number): Generator<Row> {
	yield* wrapped(`all: ${tokenWords(data.total)}`, width);
	for (const [model, usage] of Object.entries(data.by_model))
		yield* hanging([], `${model}: ${tokenWords(usage)}`, width, 'faint');
	if (data.prices_as_of) yield* wrapped(`prices as of ${data.prices_as_of}`, width, 'faint');
}

function cost({ cost_usd_estimate: usd }: Usage): string {
	return usd === undefined ? '' : `, ${money(usd)}`;
}

export const compactPre: Renderer<'compact.pre'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, _, width) => (data.custom_instructions ? wrapped(data.custom_instructions, width) : undefined),
};

export const compactPost: Renderer<'compact.post'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, { styles }, width) => (data.compact_summary ? markdownRows(data.compact_summary, width, styles) : undefined),
};

export const modelSwitchPre: Renderer<'model.switch.pre'> = titled(
	'bullet',
	'faint',
	({ data }) => `Switching the model from ${data.from_model ?? '?'} to ${data.to_model ?? '?'}`,
);

export const modelSwitchPost: Renderer<'model.switch.post'> = titled(
	'bullet',
	'accent',
	({ data }) => `The model is now ${data.to_model ?? '?'}, it was ${data.from_model ?? '?'}`,
);

export const notification: Renderer<'notification'> = {
	sign: () => ({ glyph: 'bullet', tone: 'warn' }),
	line: ({ data }) => row(span(data.title ? `${data.title}: ` : '', 'strong'), span(firstLine(data.message), 'warn')),
	// A short message is complete on its line.
	body: ({ data }, _, width) =>
		data.message.trim() === firstLine(data.message) && data.message.length < 60 ? undefined : wrapped(data.message, width),
};

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

type Status = FeedEventOf<'runtime.status'>['data']['status'];

const STATES: Record<Status, Sign & { words: string }> = {
	connected: { glyph: 'ok', tone: 'good', words: 'Connected' },
	gap: { glyph: 'ask', tone: 'warn', words: 'Events missed' },
	degraded: { glyph: 'ask', tone: 'warn', words: 'Degraded' },
};

export const runtimeStatus: Renderer<'runtime.status'> = {
	sign: ({ data }) => STATES[data.status],
	line: ({ data }) => row(span(`${STATES[data.status].words}${because(data.reason)}`, STATES[data.status].tone)),
};

const TONES: Record<'allow' | 'deny' | 'ask', Tone> = { allow: 'good', deny: 'bad', ask: 'warn' };

export const ruleAdded: Renderer<'rule.added'> = {
	sign: () => ({ glyph: 'bullet', tone: 'accent' }),
	line: ({ data: { rule } }) =>
		row(
			span('Rule added: ', 'accent'),
			span(rule.decision, TONES[rule.decision]),
			span(` ${rule.tool}${rule.argsPattern ? `(${rule.argsPattern})` : ''}, ${rule.scope}`),
		),
	body: ({ data }, _, width) => fieldRows(data.rule, width),
};

export const unknownHook: Renderer<'unknown.hook'> = {
	sign: () => ({ glyph: 'question', tone: 'faint' }),
	line: ({ data }) => row(span(data.hook_event_name, 'faint')),
	body: ({ data }, _, width) => jsonRows(data.payload, width),
};
