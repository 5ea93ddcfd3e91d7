// A result whose call was missed.
import { span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';
import { callBody } from './tools/call-body.ts';
import { callLine } from './tools/call-line.ts';

export const toolPost: Renderer<'tool.post'> = {
	sign: () => ({ glyph: 'ok', tone: 'tool' }),
	line: ({ data }, context) => [...callLine(data, context), span('  done', 'faint')],
	body: (event, { styles }, width) => callBody(event, event, width, styles),
};
