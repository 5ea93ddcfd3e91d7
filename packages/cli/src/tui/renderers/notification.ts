// Something the agent wants to be noticed.

import { firstLine } from '@roost/core/display/first-line';
import { wrapped } from '../parts/wrapped.ts';
import { row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';

export const notification: Renderer<'notification'> = {
	sign: () => ({ glyph: 'bullet', tone: 'warn' }),
	line: ({ data }) => row(span(data.title ? `${data.title}: ` : '', 'strong'), span(firstLine(data.message), 'warn')),
	// One short line says it all already.
	body: ({ data }, _, width) =>
		data.message.trim() === firstLine(data.message) && data.message.length < 60 ? undefined : wrapped(data.message, width),
};
