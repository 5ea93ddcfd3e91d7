// A subagent finished; with what it said last.
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const subagentStop: Renderer<'subagent.stop'> = {
	sign: () => ({ glyph: 'lastBranch', tone: 'accent' }),
	line: ({ data }) => row(span(`Subagent ${data.agent_type || data.agent_id} finished`, 'accent')),
	body: ({ data }, { styles }, width) =>
		data.last_assistant_message ? markdownRows(data.last_assistant_message, width, styles) : undefined,
};
