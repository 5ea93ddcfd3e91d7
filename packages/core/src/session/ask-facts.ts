// The asks of a session as its facts tell them: what the kept rows must agree with.
import type { AskRow, AskState } from '@roost/protocol/ask';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { AskId } from '@roost/protocol/ids';
import { canonicalJson } from '../rules/canonical-json.ts';
import { verdictOf } from './recorded-decision.ts';
import type { SessionState } from './state.ts';
import { closedState } from './step.ts';

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

/** Which of its fields a row has otherwise than the facts; the input only where nothing was redacted in it. */
export function differingFields(row: AskRow, fact: AskFact): string[] {
	const fields: string[] = COMPARED.filter((field) => row[field] !== fact[field]);
	const [kept, told] = [canonicalJson(row.input), canonicalJson(fact.input)];
	const isRedacted = kept.includes('[redacted:') || told.includes('[redacted:');
	return kept === told || isRedacted ? fields : [...fields, 'input'];
}
