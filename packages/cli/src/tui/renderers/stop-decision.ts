// Whether the agent may stop.

import { because } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { wrapped } from '../parts/wrapped.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer, Sign } from './renderer.ts';

type Decision = FeedEventOf<'stop.decision'>['data'];

const OUTCOMES: Record<Decision['decision_type'], Sign & { words: string }> = {
	no_opinion: { glyph: 'bullet', tone: 'faint', words: 'May stop' },
	allow: { glyph: 'ok', tone: 'good', words: 'May stop' },
	block: { glyph: 'failed', tone: 'warn', words: 'Must go on' },
};

export const stopDecision: Renderer<'stop.decision'> = {
	sign: ({ data }) => OUTCOMES[data.decision_type],
	line: ({ data }) => {
		const { words, tone } = OUTCOMES[data.decision_type];
		return row(span(`${words}${because(data.reason)}`, tone), span(`  ${decidedBy(data)}`, 'faint'));
	},
	body: ({ data }, _, width) => (data.reason ? wrapped(data.reason, width) : undefined),
};
