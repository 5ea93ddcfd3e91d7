// What somebody asked the agent to do.
import { prose } from './prose.ts';
import type { Renderer } from './renderer.ts';

export const userPrompt: Renderer<'user.prompt'> = prose({
	sign: { glyph: 'prompt', tone: 'person' },
	tone: 'person',
	textOf: ({ data }) => data.prompt,
});
