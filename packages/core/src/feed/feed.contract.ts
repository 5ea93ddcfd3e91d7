// Invariants of every mapped event, checked at each step of a scripted session: it fits the protocol, and replay equals live.
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { expect } from 'vitest';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import { readReport } from '../runtime/normal-form/read-report.ts';
import { isTransient } from './filter.ts';
import { type Fact, mapDecision, mapEvent, mapFact } from './mapper.ts';
import { createFeedState, evolveFeed, type FeedState } from './state.ts';

type ReportOptions = { id?: string; agentId?: string; ask?: string };

/** An agent whose reports are mapped one by one. */
export function scriptSession(sessionId = 's1') {
	const live = createFeedState(sessionId as SessionId);
	const replayed = createFeedState(sessionId as SessionId);
	const feed: FeedEvent[] = [];
	let clock = 0;

	const record = (events: FeedEvent[]) => {
		for (const event of events) {
			expect(feedEvent.safeParse(event).error).toBeUndefined();
			feed.push(event);
			if (!isTransient(event)) evolveFeed(replayed, feedEvent.parse(JSON.parse(JSON.stringify(event))));
		}
		expect(toStored(replayed)).toEqual(toStored(live));
		return events;
	};

	return {
		feed,
		state: live,
		replayed,
		report(hookName: string, payload: unknown, options: ReportOptions = {}): FeedEvent[] {
			clock += 1;
			const event = toReport(hookName, payload, { id: `q${clock}`, ...options }, clock);
			const ask = options.ask ? { id: options.ask as AskId, reason: 'no rule', expiresAt: clock + 300 } : undefined;
			return record(mapEvent(live, event, { ask }));
		},
		decide(requestId: string, decision: RuntimeDecision): FeedEvent | null {
			clock += 1;
			const event = mapDecision(live, requestId, decision, clock);
			if (event) record([event]);
			return event;
		},
		note(fact: Fact): FeedEvent {
			clock += 1;
			const event = mapFact(live, fact, clock);
			record([event]);
			return event;
		},
	};
}

/** The state without the parts from transient events, which are never stored and so missing in a replay. */
export function toStored({ transients, messages, ...state }: FeedState) {
	return { ...state, last: messages.last };
}

export function toReport(hookName: string, payload: unknown, { id = 'q', agentId }: ReportOptions, timestamp = 1): RuntimeEvent {
	return {
		id,
		timestamp,
		sessionId: 'native-1',
		agentId,
		context: { cwd: '/project', transcriptPath: '/transcripts/native-1.jsonl' },
		interaction: { expectsDecision: false },
		...readReport(hookName, payload),
	};
}

export const kindsOf = (events: readonly FeedEvent[]) => events.map((event) => event.kind);

/** A tool call's payload. */
export function call(tool: string, input: Record<string, unknown>, toolUseId?: string) {
	return { tool_name: tool, tool_input: input, tool_use_id: toolUseId };
}
