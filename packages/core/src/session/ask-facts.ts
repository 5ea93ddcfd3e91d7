// The asks of a session rebuilt from its facts, to verify the rows of the asks table.
import type { AskRow, AskState } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId } from '@roost/protocol/ids';
import { canonicalJson } from '../rules/canonical-json.ts';
import { closedState, verdictOf } from './recorded-decision.ts';
import type { SessionState } from './state.ts';

export type AskFact = Pick<
	AskRow,
	'id' | 'sessionId' | 'kind' | 'tool' | 'input' | 'risk' | 'eventId' | 'openedAt' | 'expiresAt'
> & {
	state: AskState;
	decidedBy: string | undefined;
};

/** To be called for each event after `state` was evolved by it. */
export function foldAskFact(asks: Map<AskId, AskFact>, state: SessionState, event: FeedEvent): void {
	if (event.kind === 'permission.request' || event.kind === 'question.request') {
		const ask = event.data.ask_id && state.asks.get(event.data.ask_id)?.ask;
		if (ask) asks.set(ask.id, { ...ask, state: 'pending', decidedBy: undefined });
	}
	if (event.kind !== 'permission.decision' && event.kind !== 'question.answer') return;
	const open = event.data.ask_id && asks.get(event.data.ask_id);
	if (!open) return;
	const { decided_by: source, principal } = event.data;
	open.state = closedState({ source, verdict: verdictOf(event) });
	open.decidedBy = principal ?? source;
}

const COMPARED = ['sessionId', 'kind', 'tool', 'risk', 'eventId', 'openedAt', 'expiresAt', 'state', 'decidedBy'] as const;

/** The fields in which a row differs from the facts; the input is compared only where nothing was redacted in it. */
export function differingFields(row: AskRow, fact: AskFact): string[] {
	const fields: string[] = COMPARED.filter((field) => row[field] !== fact[field]);
	const [kept, recorded] = [canonicalJson(row.input), canonicalJson(fact.input)];
	const isRedacted = kept.includes('[redacted:') || recorded.includes('[redacted:');
	return kept === recorded || isRedacted ? fields : [...fields, 'input'];
}
