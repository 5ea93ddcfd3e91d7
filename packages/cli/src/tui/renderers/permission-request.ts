// A tool that may not run before somebody says so: what it would do, how risky that is, and why it is asked.
import { isSubagent } from '@roost/core/feed/entities';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { wrapped } from '../parts/wrapped.ts';
import type { Look, Tone } from '../screen/look.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Renderer } from './renderer.ts';
import { callLine } from './tools/call-line.ts';
import { inputRows } from './tools/input-rows.ts';

export const permissionRequest: Renderer<'permission.request'> = {
	sign: () => ({ glyph: 'ask', tone: 'warn' }),
	line: ({ data }, context) => [span('Permission: ', 'warn'), ...callLine(data, context)],
	body: (event, { look }, width) => requestRows(event, width, look),
};

type PermissionRequest = FeedEventOf<'permission.request'>;
type Risk = PermissionRequest['data']['risk'];

export const RISK_TONES: Record<Risk, Tone> = { low: 'faint', medium: 'warn', high: 'bad' };

function* requestRows({ data }: PermissionRequest, width: number, look: Look): Generator<Row> {
	yield* inputRows({ tool: data.tool_name, input: data.tool_input }, width, look);
	yield row(span('risk: ', 'faint'), span(data.risk, RISK_TONES[data.risk]));
	if (data.reason) yield* wrapped(`asked because: ${data.reason}`, width, 'faint');
	if (data.requested_by && isSubagent(data.requested_by)) yield* wrapped(`wanted by: ${data.requested_by}`, width, 'faint');
}
