// Requests of the agent: those on record already, and open ones that a new report settles.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { isHarmlessTool } from '../controller/harmless-tools.ts';
import { type RuntimeDecision, silence } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { GateMode } from '../runtime/gate-mode.ts';
import type { DecisionEvent } from './recorded-decision.ts';
import type { OpenAsk, SessionState } from './state.ts';

export type EarlierRequest =
	| { type: 'decided'; event: DecisionEvent }
	/** Its ask is still open. */
	| { type: 'asked'; open: OpenAsk }
	/** Reported, and nothing had to be decided. */
	| { type: 'announced' };

/** A request that is on record already: the runner ended before its agent got the answer. Null for a new request. */
export function findEarlier(state: SessionState, requestId: string): EarlierRequest | null {
	const event = state.decided.get(requestId);
	if (event) return { type: 'decided', event };
	const open = openAskOf(state, requestId);
	if (open) return { type: 'asked', open };
	return state.feed.requests.has(requestId) ? { type: 'announced' } : null;
}

export function openAskOf(state: SessionState, requestId: string): OpenAsk | undefined {
	return state.asks.values().find((open) => open.requestId === requestId);
}

export type Elsewhere = {
	/** The open asks that the report shows to be over. */
	closed: { open: OpenAsk; decision: RuntimeDecision }[];
	/** Those whose call ran without a decision; they stay open. */
	undecided: OpenAsk[];
};

/**
 * Asks that ended outside Roost: the agent reports that the call ran, was denied in its own dialog, or that the run ended.
 * That is no decision of a person: in enforce mode it can only close an ask by denying it.
 */
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
			elsewhere.closed.push({ open, decision: silence(gate, OUTCOMES[(isUndecided ? null : outcome) ?? 'ended']) });
	}
	return elsewhere;
}

const OUTCOMES = {
	ran: { source: 'terminal', reason: 'the agent reported that the call ran' },
	refused: { source: 'terminal', reason: 'the agent reported that the call was refused' },
	ended: { source: 'system', reason: 'the run ended while this waited' },
} as const;

function outcomeOf(open: OpenAsk, report: RuntimeEvent, events: readonly FeedEvent[]): 'ran' | 'refused' | null {
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

const RAN: ReadonlySet<string> = new Set(['PostToolUse', 'PostToolUseFailure']);

/**
 * In enforce mode every call that ran has a decision on record: this finds the call that a new report shows to have run without one.
 * `driven`: the user chose its permission mode in Roost; else the agent did not wait for Roost.
 */
export function findPassedCall(state: SessionState, report: RuntimeEvent, { driven }: { driven: boolean }) {
	const call = RAN.has(report.hookName) ? state.feed.calls.open.get(report.toolUseId ?? '') : undefined;
	if (!call || isHarmlessTool(call.tool, call.input) || isDecided(state, call.toolUseId)) return null;
	const requests = call.requestIds.filter((id) => state.feed.requests.has(id));
	const [requestId] = requests;
	const isAsked = requests.some((id) => state.feed.requests.get(id)?.askId !== undefined);
	return requestId === undefined || isAsked ? null : { requestId, decision: driven ? byMode(report) : UNDECIDED };
}

function isDecided({ decided }: SessionState, toolUseId: string | undefined): boolean {
	return decided.values().some(({ cause }) => cause?.tool_use_id === toolUseId);
}

function byMode({ context: { permissionMode = 'default' } }: RuntimeEvent): RuntimeDecision {
	const reason = `permission mode ${permissionMode} allows this without asking`;
	return { verdict: { type: 'allow' }, source: 'system', reason };
}

const UNDECIDED: RuntimeDecision = {
	verdict: { type: 'none' },
	source: 'system',
	reason: 'the agent ran this without a decision',
};
