// A slash command, and the prompt it became.

import { firstLine } from '@roost/core/display/first-line';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const promptExpansion: Renderer<'prompt.expansion'> = {
	sign: () => ({ glyph: 'prompt', tone: 'faint' }),
	line: ({ data }) => row(span(commandOf(data), 'faint')),
	body: ({ data }, { styles }, width) => (data.prompt ? markdownRows(data.prompt, width, styles) : undefined),
};

function commandOf(data: { command_name?: string; command_args?: string; prompt?: string }): string {
	if (!data.command_name) return firstLine(data.prompt ?? 'Prompt expanded');
	return `/${data.command_name} ${data.command_args ?? ''}`.trimEnd();
}
