// Whether Roost hears the agent.

import { because } from '@roost/core/display/first-line';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { row, span } from '../screen/row.ts';
import type { Renderer, Sign } from './renderer.ts';

type Status = FeedEventOf<'runtime.status'>['data']['status'];

const STATES: Record<Status, Sign & { words: string }> = {
	connected: { glyph: 'ok', tone: 'good', words: 'Connected' },
	gap: { glyph: 'ask', tone: 'warn', words: 'Something was missed' },
	degraded: { glyph: 'ask', tone: 'warn', words: 'Degraded' },
};

export const runtimeStatus: Renderer<'runtime.status'> = {
	sign: ({ data }) => STATES[data.status],
	line: ({ data }) => row(span(`${STATES[data.status].words}${because(data.reason)}`, STATES[data.status].tone)),
};
