// What was decided about a permission, and by whom.

import { firstLine } from '@roost/core/display/first-line';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedEventOf } from '@roost/protocol/feed/event';
import { decidedBy } from '../../output/decided-by.ts';
import { wrapped } from '../parts/wrapped.ts';
import { type Row, row, span } from '../screen/row.ts';
import { fieldRows } from './field-rows.ts';
import type { Renderer, Sign } from './renderer.ts';

export const permissionDecision: Renderer<'permission.decision'> = {
	sign: ({ data }) => outcomeOf(data),
	line: ({ data }) => {
		const { words, why, tone } = outcomeOf(data);
		return row(span(why ? `${words}: ${why}` : words, tone), span(`  ${decidedBy(data)}`, 'faint'));
	},
	body: ({ data }, _, width) => (hasMore(data) ? decisionRows(data, width) : undefined),
};

export type Decision = FeedEventOf<'permission.decision'>['data'];

export function outcomeOf(data: Decision): Sign & { words: string; why?: string } {
	if (data.decided_by === 'terminal' && data.decision_type !== 'deny')
		return { glyph: 'ask', tone: 'faint', words: "Resolved in the agent's terminal" };
	switch (data.decision_type) {
		case 'allow':
			return { glyph: 'ok', tone: 'good', words: data.updated_input ? 'Allowed, with changes' : 'Allowed' };
		case 'deny':
			// That of a rule is a whole sentence.
			return data.decided_by === 'rule' && data.rule_id !== undefined
				? { glyph: 'failed', tone: 'bad', words: firstLine(data.message) }
				: { glyph: 'failed', tone: 'bad', words: 'Denied', why: firstLine(data.message) };
		case 'ask':
			return { glyph: 'ask', tone: 'warn', words: 'To be asked' };
		case 'no_opinion': {
			const expired = data.decided_by === 'timeout';
			return { glyph: 'ask', tone: expired ? 'warn' : 'faint', words: expired ? 'Expired' : 'Left to the agent' };
		}
		default:
			return assertNever(data);
	}
}

function senderOf({ claimed_face, peer = 'unknown' }: Decision): string {
	return `sent by: ${peer}, which claims to be "${claimed_face}"`;
}

function hasMore(data: Decision): boolean {
	return (
		Boolean(data.reason) ||
		Boolean(data.claimed_face) ||
		data.decision_type === 'deny' ||
		(data.decision_type === 'allow' && data.updated_input !== undefined)
	);
}

export function* decisionRows(data: Decision, width: number): Generator<Row> {
	if (data.decision_type === 'deny') {
		yield* wrapped(data.message, width, 'bad');
		if (data.interrupt) yield row(span('The run was interrupted too.', 'warn'));
	}
	if (data.reason) yield* wrapped(`because: ${data.reason}`, width, 'faint');
	if (data.claimed_face) yield* wrapped(senderOf(data), width, 'faint');
	if (data.decision_type === 'allow' && data.updated_input) {
		yield row(span('changed to', 'faint'));
		yield* fieldRows(data.updated_input, width);
	}
}
