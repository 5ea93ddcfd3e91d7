// Prompts, and what the agent says.

import { firstLine } from '@roost/core/display/first-line';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';
import { prose } from './rows.ts';

/** A prompt of the user. */
export const userPrompt: Renderer<'user.prompt'> = prose({
	sign: { glyph: 'prompt', tone: 'person' },
	tone: 'person',
	textOf: ({ data }) => data.prompt,
});

/** A slash command, and the prompt it became. */
export const promptExpansion: Renderer<'prompt.expansion'> = {
	sign: () => ({ glyph: 'prompt', tone: 'faint' }),
	line: ({ data }) => row(span(commandOf(data), 'faint')),
	body: ({ data }, { styles }, width) => (data.prompt ? markdownRows(data.prompt, width, styles) : undefined),
};

function commandOf(data: { command_name?: string; command_args?: string; prompt?: string }): string {
	if (!data.command_name) return firstLine(data.prompt ?? 'Prompt expanded');
	return `/${data.command_name} ${data.command_args ?? ''}`.trimEnd();
}

/** What the agent said. */
export const agentMessage: Renderer<'agent.message'> = prose({
	sign: { glyph: 'message', tone: 'agent' },
	textOf: ({ data }) => data.text,
});
