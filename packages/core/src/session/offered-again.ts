// A request that is on record already: the runner ended before the agent had its answer, and the agent asks again.
import type { DecisionEvent } from './recorded-decision.ts';
import type { OpenAsk, SessionState } from './state.ts';

export type EarlierRequest =
	| { type: 'decided'; event: DecisionEvent }
	/** Somebody is still being asked. */
	| { type: 'asked'; open: OpenAsk }
	/** Reported, and nothing had to be decided. */
	| { type: 'announced' };

/** Null for a request that was never seen. */
export function findEarlier(state: SessionState, requestId: string): EarlierRequest | null {
	const event = state.decided.get(requestId);
	if (event) return { type: 'decided', event };
	const open = openAskOf(state, requestId);
	if (open) return { type: 'asked', open };
	return state.feed.requests.has(requestId) ? { type: 'announced' } : null;
}

export function openAskOf(state: SessionState, requestId: string): OpenAsk | undefined {
	for (const open of state.asks.values()) if (open.requestId === requestId) return open;
	return undefined;
}
