// How an agent stops.

import { because } from '@roost/core/display/first-line';
import { stopWords } from '@roost/core/feed/plain-words';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { markdownRows } from '../parts/markdown.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles } from '../screen/styles.ts';
import type { Renderer, Sign } from './renderer.ts';
import { titled } from './rows.ts';

/** The agent wants to stop. */
export const stopRequest: Renderer<'stop.request'> = titled('ended', 'faint', ({ data }) =>
	data.background_tasks ? `Stop, ${data.background_tasks} still in the background` : 'Stop',
);

type Decision = FeedEventOf<'stop.decision'>['data'];

const OUTCOMES: Record<Decision['decision_type'], Sign & { words: string }> = {
	no_opinion: { glyph: 'bullet', tone: 'faint', words: 'May stop' },
	allow: { glyph: 'ok', tone: 'good', words: 'May stop' },
	block: { glyph: 'failed', tone: 'warn', words: 'Must continue' },
};

/** Whether the agent may stop. */
export const stopDecision: Renderer<'stop.decision'> = {
	sign: ({ data }) => OUTCOMES[data.decision_type],
	line: ({ data }) => {
		const { words, tone } = OUTCOMES[data.decision_type];
		return row(span(`${words}${because(data.reason)}`, tone), span(`  ${decidedBy(data)}`, 'faint'));
	},
	body: ({ data }, _, width) => (data.reason ? wrapped(data.reason, width) : undefined),
};

/** The agent was stopped by an error. */
export const stopFailure: Renderer<'stop.failure'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }) => row(span(`Stopped by an error${because(data.last_assistant_message ?? stopWords(data.error))}`, 'bad')),
	body: (event, { styles }, width) => failureRows(event, width, styles),
};

function* failureRows({ data }: FeedEventOf<'stop.failure'>, width: number, styles: Styles): Generator<Row> {
	yield* wrapped(stopWords(data.error), width, 'bad');
	if (data.last_assistant_message) yield* markdownRows(data.last_assistant_message, width, styles);
}
