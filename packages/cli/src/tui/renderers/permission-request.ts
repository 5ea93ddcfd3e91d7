// A tool that may not run before somebody says so: what it would do, how risky that is, why it is asked, and what was said.
import { isSubagent } from '@roost/core/feed/entities';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { type Decision, decisionRows, outcomeOf } from './permission-decision.ts';
import type { Renderer, Sign } from './renderer.ts';
import { callLine } from './tools/call-line.ts';
import { inputRows } from './tools/input-rows.ts';

export const permissionRequest: Renderer<'permission.request'> = {
	sign: (_, { decision }) => (decision ? calmSign(decision.data) : { glyph: 'ask', tone: 'warn' }),
	line({ data }, context) {
		const { decision } = context.entry;
		if (!decision) return [span('Permission: ', 'warn'), ...callLine(data, context)];
		const { tone } = calmSign(decision.data);
		const { words, why } = outcomeOf(decision.data);
		return [
			span(`${words}: `, tone),
			...callLine(data, context),
			span(`  ${decidedBy(decision.data)}`, 'faint'),
			...(why ? [span(`  ${why}`, tone)] : []),
		];
	},
	body: (event, { entry, styles }, width) => requestRows(event, entry.decision?.data, width, styles),
};

/** What a rule lets pass is no news. */
function calmSign(data: Decision): Sign {
	const { glyph, tone } = outcomeOf(data);
	return { glyph, tone: data.decision_type === 'allow' && data.decided_by === 'rule' ? 'faint' : tone };
}

type PermissionRequest = FeedEventOf<'permission.request'>;
type Risk = PermissionRequest['data']['risk'];

export const RISK_TONES: Record<Risk, Tone> = { low: 'faint', medium: 'warn', high: 'bad' };

function* requestRows(
	{ data }: PermissionRequest,
	decision: Decision | undefined,
	width: number,
	styles: Styles,
): Generator<Row> {
	if (decision) yield* decidedRows(decision, width);
	yield* inputRows({ tool: data.tool_name, input: data.tool_input }, width, styles);
	yield row(span('risk: ', 'faint'), span(data.risk, RISK_TONES[data.risk]));
	if (data.reason) yield* wrapped(`asked because: ${data.reason}`, width, 'faint');
	if (data.requested_by && isSubagent(data.requested_by)) yield* wrapped(`wanted by: ${data.requested_by}`, width, 'faint');
}

function* decidedRows(decision: Decision, width: number): Generator<Row> {
	const { words, tone } = outcomeOf(decision);
	yield row(span(words, tone), span(`  ${decidedBy(decision)}`, 'faint'));
	yield* decisionRows(decision, width);
}
