// What the agent said.
import { prose } from './prose.ts';
import type { Renderer } from './renderer.ts';

export const agentMessage: Renderer<'agent.message'> = prose({
	sign: { glyph: 'message', tone: 'agent' },
	textOf: ({ data }) => data.text,
});
