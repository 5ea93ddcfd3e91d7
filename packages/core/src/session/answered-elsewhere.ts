// An ask can be over without us: the agent reports that the call ran, was refused in its own dialog, or that the run ended.
// That is the agent's word and nobody's decision: where Roost is the gate, it closes an ask only by denying it.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import type { OpenAsk } from './state.ts';

export type Elsewhere = {
	/** The open asks that the report shows to be over. */
	closed: { open: OpenAsk; decision: RuntimeDecision }[];
	/** Those whose call ran although Roost has not decided; they stay open. */
	undecided: OpenAsk[];
};

export function answeredElsewhere(
	asks: Iterable<OpenAsk>,
	report: RuntimeEvent,
	events: readonly FeedEvent[],
	gate: GateMode,
): Elsewhere {
	const ended = events.some((event) => event.kind === 'run.end' || event.kind === 'session.end');
	const elsewhere: Elsewhere = { closed: [], undecided: [] };
	for (const open of asks) {
		const outcome = outcomeOf(open, report, events);
		const isUndecided = outcome === 'ran' && gate === 'enforce' && open.ask.kind === 'permission';
		if (isUndecided) elsewhere.undecided.push(open);
		if (ended || (outcome !== null && !isUndecided))
			elsewhere.closed.push({ open, decision: toDecision(isUndecided ? null : outcome, gate) });
	}
	return elsewhere;
}

type Outcome = 'ran' | 'refused' | null;

function outcomeOf(open: OpenAsk, report: RuntimeEvent, events: readonly FeedEvent[]): Outcome {
	if (!open.toolUseId) return null;
	for (const event of events) {
		if (event.cause?.tool_use_id !== open.toolUseId) continue;
		if (event.kind === 'tool.post') return 'ran';
		// A failure that its own hook reports comes from a call that ran; one that only the batch shows was refused.
		if (event.kind === 'tool.failure') return report.hookName === 'PostToolUseFailure' ? 'ran' : 'refused';
		if (event.kind === 'permission.denied') return 'refused';
	}
	return null;
}

const REASONS = { ran: 'the agent reported that the call ran', refused: 'the agent reported that the call was refused' };

function toDecision(outcome: Outcome, gate: GateMode): RuntimeDecision {
	if (outcome === null) return silence(gate, { source: 'system', reason: 'the run ended while this waited' });
	return silence(gate, { source: 'terminal', reason: REASONS[outcome] });
}
