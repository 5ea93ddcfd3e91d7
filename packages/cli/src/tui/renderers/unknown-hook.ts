// A report of a kind Roost does not know yet, kept as it came.
import { row, span } from '../screen/row.ts';
import { jsonRows } from './json-rows.ts';
import type { Renderer } from './renderer.ts';

export const unknownHook: Renderer<'unknown.hook'> = {
	sign: () => ({ glyph: 'question', tone: 'faint' }),
	line: ({ data }) => row(span(data.hook_event_name, 'faint')),
	body: ({ data }, _, width) => jsonRows(data.payload, width),
};
