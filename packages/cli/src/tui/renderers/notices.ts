// What happens around a session: compaction, models, notifications, errors, rules, and reports of an unknown kind.

import { because, firstLine } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { markdownRows } from '../parts/markdown.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Tone } from '../screen/styles.ts';
import type { Renderer, Sign } from './renderer.ts';
import { fieldRows, jsonRows, titled } from './rows.ts';

/** The conversation is about to be shortened. */
export const compactPre: Renderer<'compact.pre'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, _, width) => (data.custom_instructions ? wrapped(data.custom_instructions, width) : undefined),
};

/** The conversation was shortened; with what is left of it. */
export const compactPost: Renderer<'compact.post'> = {
	...titled('bullet', 'faint'),
	body: ({ data }, { styles }, width) => (data.compact_summary ? markdownRows(data.compact_summary, width, styles) : undefined),
};

/** Another model is about to take over. */
export const modelSwitchPre: Renderer<'model.switch.pre'> = titled(
	'bullet',
	'faint',
	({ data }) => `Switching the model from ${data.from_model ?? '?'} to ${data.to_model ?? '?'}`,
);

/** Another model has taken over. */
export const modelSwitchPost: Renderer<'model.switch.post'> = titled(
	'bullet',
	'accent',
	({ data }) => `The model is now ${data.to_model ?? '?'}, it was ${data.from_model ?? '?'}`,
);

/** Something the agent wants to be noticed. */
export const notification: Renderer<'notification'> = {
	sign: () => ({ glyph: 'bullet', tone: 'warn' }),
	line: ({ data }) => row(span(data.title ? `${data.title}: ` : '', 'strong'), span(firstLine(data.message), 'warn')),
	// One short line says it all already.
	body: ({ data }, _, width) =>
		data.message.trim() === firstLine(data.message) && data.message.length < 60 ? undefined : wrapped(data.message, width),
};

/** Something went wrong in Roost or between it and the agent. */
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
	gap: { glyph: 'ask', tone: 'warn', words: 'Something was missed' },
	degraded: { glyph: 'ask', tone: 'warn', words: 'Degraded' },
};

/** Whether Roost hears the agent. */
export const runtimeStatus: Renderer<'runtime.status'> = {
	sign: ({ data }) => STATES[data.status],
	line: ({ data }) => row(span(`${STATES[data.status].words}${because(data.reason)}`, STATES[data.status].tone)),
};

const TONES: Record<'allow' | 'deny' | 'ask', Tone> = { allow: 'good', deny: 'bad', ask: 'warn' };

/** A rule that holds from here on. */
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

/** A report of a kind Roost does not know yet, kept as it came. */
export const unknownHook: Renderer<'unknown.hook'> = {
	sign: () => ({ glyph: 'question', tone: 'faint' }),
	line: ({ data }) => row(span(data.hook_event_name, 'faint')),
	body: ({ data }, _, width) => jsonRows(data.payload, width),
};
