// What an MCP server was told.
import { elicitationWords } from '@roost/core/feed/plain-words';
import { row, span } from '../screen/row.ts';
import { jsonRows } from './json-rows.ts';
import type { Renderer, Sign } from './renderer.ts';

export const elicitationResult: Renderer<'elicitation.result'> = {
	sign: ({ data }) => signOf(data.action),
	line: ({ data }) => row(span(`${data.mcp_server_name}: `, 'tool'), span(elicitationWords(data.action), signOf(data.action).tone)),
	body: ({ data }, _, width) => (data.content === undefined ? undefined : jsonRows(data.content, width)),
};

function signOf(action: string): Sign {
	return action === 'accept' ? { glyph: 'ok', tone: 'good' } : { glyph: 'failed', tone: 'warn' };
}
