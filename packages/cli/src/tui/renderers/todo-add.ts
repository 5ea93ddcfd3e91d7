// A todo that was written down.

import { firstLine } from '@roost/core/display/first-line';
import { markdownRows } from '../parts/markdown.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const todoAdd: Renderer<'todo.add'> = {
	sign: () => ({ glyph: 'todoOpen', tone: 'faint' }),
	line: ({ data }) => row(span(firstLine(data.text), 'faint')),
	body: ({ data }, { styles }, width) => (data.details ? markdownRows(data.details, width, styles) : undefined),
};
