// A failure whose call was missed.

import { firstLine } from '@roost/core/display/first-line';
import { failureWords } from '@roost/core/feed/plain-words';
import { span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';
import { callBody } from './tools/call-body.ts';
import { callLine } from './tools/call-line.ts';

export const toolFailure: Renderer<'tool.failure'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }, context) => [...callLine(data, context), span(`  ${firstLine(failureWords(data.error))}`, 'bad')],
	body: (event, { styles }, width) => callBody(event, event, width, styles),
};
