// A tool call, with its result once that is there.
import type { FeedEntry } from '../feed/feed-list.ts';
import { span } from '../screen/row.ts';
import { firstLine } from './first-line.ts';
import type { Renderer, Sign } from './renderer.ts';
import { callBody } from './tools/call-body.ts';
import { callLine } from './tools/call-line.ts';
import { ranWith } from './tools/ran-with.ts';

export const toolPre: Renderer<'tool.pre'> = {
	sign: (_, entry) => signOf(entry),
	line({ data }, context) {
		const { result } = context.entry;
		const failed = result?.kind === 'tool.failure' ? [span(`  ${firstLine(result.data.error)}`, 'bad')] : [];
		const ran = ranWith(data.tool_input, result);
		if (!ran) return [...callLine(data, context), ...failed];
		return [...callLine({ ...data, tool_input: ran }, context), span('  changed before it ran', 'warn'), ...failed];
	},
	body: (event, { entry, look }, width) => callBody(event, entry.result, width, look),
};

function signOf({ result }: FeedEntry): Sign {
	if (!result) return { glyph: 'working', tone: 'tool' };
	return result.kind === 'tool.post' ? { glyph: 'ok', tone: 'tool' } : { glyph: 'failed', tone: 'bad' };
}
