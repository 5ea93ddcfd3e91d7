// Permission requests, decisions, and denials by the agent itself.
import { isSubagent } from '@roost/core/feed/entities';
import {
	type Decision,
	type DecisionOutcome,
	decisionOutcome,
	type OutcomeName,
	senderWords,
} from '@roost/core/views/decision-outcome';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, type Span, span } from '../screen/row.ts';
import type { Styles, Tone } from '../screen/styles.ts';
import { fieldRows, type Renderer, type Sign } from './renderer.ts';
import { callLine, inputRows } from './tools/input-rows.ts';

export const permissionRequest: Renderer<'permission.request'> = {
	sign: (_, { decision }) => (decision ? calmSign(decision.data) : { glyph: 'ask', tone: 'warn' }),
	line({ data }, context) {
		const { decision } = context.entry;
		if (!decision) return [span('Permission: ', 'warn'), ...callLine(data, context)];
		const { tone } = calmSign(decision.data);
		const { words, why, by } = outcomeOf(decision.data);
		return [span(`${words}: `, tone), ...callLine(data, context), ...bySpans(by), ...(why ? [span(`  ${why}`, tone)] : [])];
	},
	body: (event, { entry, styles }, width) => requestRows(event, entry.decision?.data, width, styles),
	opens: true,
};

/** Calls allowed by a rule are not highlighted. */
function calmSign(data: Decision): Sign {
	const { glyph, tone } = outcomeOf(data);
	return { glyph, tone: data.decision_type === 'allow' && data.decided_by === 'rule' ? 'faint' : tone };
}

type PermissionRequest = FeedEventOf<'permission.request'>;
type Risk = PermissionRequest['data']['risk'];

const RISK_TONES: Record<Risk, Tone> = { low: 'faint', medium: 'warn', high: 'bad' };

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
	const { words, tone, by } = outcomeOf(decision);
	yield row(span(words, tone), ...bySpans(by));
	yield* decisionRows(decision, width);
}

export const permissionDecision: Renderer<'permission.decision'> = {
	sign: ({ data }) => outcomeOf(data),
	line: ({ data }) => {
		const { words, why, tone, by } = outcomeOf(data);
		return row(span(why ? `${words}: ${why}` : words, tone), ...bySpans(by));
	},
	body: ({ data }, _, width) => (hasMore(data) ? decisionRows(data, width) : undefined),
};

const OUTCOMES: Record<OutcomeName, Sign> = {
	allowed: { glyph: 'ok', tone: 'good' },
	denied: { glyph: 'failed', tone: 'bad' },
	asked: { glyph: 'ask', tone: 'warn' },
	expired: { glyph: 'ask', tone: 'warn' },
	left: { glyph: 'ask', tone: 'faint' },
	elsewhere: { glyph: 'ask', tone: 'faint' },
};

export function outcomeOf(data: Decision): Sign & Omit<DecisionOutcome, 'outcome'> {
	const { outcome, ...words } = decisionOutcome(data);
	return { ...OUTCOMES[outcome], ...words };
}

export function bySpans(by: string | undefined): Span[] {
	return by === undefined ? [] : [span(`  ${by}`, 'faint')];
}

function hasMore(data: Decision): boolean {
	return (
		Boolean(data.reason) ||
		Boolean(data.claimed_face) ||
		data.decision_type === 'deny' ||
		(data.decision_type === 'allow' && data.updated_input !== undefined)
	);
}

function* decisionRows(data: Decision, width: number): Generator<Row> {
	if (data.decision_type === 'deny') {
		yield* wrapped(data.message, width, 'bad');
		if (data.interrupt) yield row(span('The run was interrupted too.', 'warn'));
	}
	if (data.reason) yield* wrapped(`because: ${data.reason}`, width, 'faint');
	if (data.claimed_face) yield* wrapped(senderWords(data), width, 'faint');
	if (data.decision_type === 'allow' && data.updated_input) {
		yield row(span('changed to', 'faint'));
		yield* fieldRows(data.updated_input, width);
	}
}

export const permissionDenied: Renderer<'permission.denied'> = {
	sign: () => ({ glyph: 'failed', tone: 'bad' }),
	line: ({ data }, context) => [span('Denied by the agent: ', 'bad'), ...callLine(data, context)],
	body: (event, { styles }, width) => deniedRows(event, width, styles),
};

function* deniedRows({ data }: FeedEventOf<'permission.denied'>, width: number, styles: Styles): Generator<Row> {
	if (data.reason) yield* wrapped(data.reason, width, 'bad');
	yield* inputRows({ tool: data.tool_name, input: data.tool_input }, width, styles);
}
