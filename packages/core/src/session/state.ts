// The state of a session between two inputs. It changes only by folding events, so a replayed log gives the same state.
import type { Ask } from '@roost/protocol/ask';
import { assertNever } from '@roost/protocol/assert-never';
import type { FeedData, FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { AskId, SessionId } from '@roost/protocol/ids';
import { keepNewest } from '../feed/keep-newest.ts';
import { createFeedState, evolveFeed, type FeedState } from '../feed/state.ts';
import { QUESTION_TOOL } from '../runtime/normal-form/questions.ts';
import { acknowledgePrompt, createPrompts, foldPrompt, type Prompts } from './prompts.ts';
import type { DecisionEvent } from './recorded-decision.ts';
import type { ShownMessages } from './shown-report.ts';

export type SessionState = {
	readonly sessionId: SessionId;
	readonly feed: FeedState;
	/** Open asks, oldest first. */
	readonly asks: Map<AskId, OpenAsk>;
	asksOpened: number;
	/** Recent decisions by request: their agents may not have got them. */
	readonly decided: Map<string, DecisionEvent>;
	/** The agent's own id of this session, as last observed. */
	nativeId: string | null;
	readonly prompts: Prompts;
	/** The usage by model, as last reported. */
	usage: FeedData<'usage.update'>['by_model'] | null;
	/** Buffered pieces of messages; never on record, and lost with the process. */
	readonly messages: ShownMessages;
};

export type OpenAsk = {
	ask: Ask;
	/** The agent's waiting request. */
	requestId: string;
	toolUseId?: string;
};

export function createSessionState(sessionId: SessionId): SessionState {
	return {
		sessionId,
		feed: createFeedState(sessionId),
		asks: new Map(),
		asksOpened: 0,
		decided: new Map(),
		nativeId: null,
		prompts: createPrompts(),
		usage: null,
		messages: new Map(),
	};
}

/** Folds one stored event: how a session is rebuilt from its log. */
export function evolveSession(state: SessionState, event: FeedEvent): void {
	evolveFeed(state.feed, event);
	trackSession(state, event);
}

/** The part that the feed's own state does not hold; `mapEvent` has folded the rest already. */
export function trackSession(state: SessionState, event: FeedEvent): void {
	if (event.kind === 'session.native') state.nativeId = event.data.native_id;
	if (event.kind === 'prompt.update') foldPrompt(state.prompts, event);
	if (event.kind === 'user.prompt') acknowledgePrompt(state.prompts, event);
	if (event.kind === 'usage.update') state.usage = event.data.by_model;
	if (event.kind === 'permission.request' || event.kind === 'question.request') openAsk(state, event);
	if (event.kind === 'permission.decision' || event.kind === 'question.answer') closeRequest(state, event);
}

function closeRequest(state: SessionState, event: DecisionEvent): void {
	if (event.data.ask_id) state.asks.delete(event.data.ask_id);
	if (event.cause?.hook_request_id === undefined) return;
	state.decided.set(event.cause.hook_request_id, event);
	keepNewest(state.decided);
}

function openAsk(state: SessionState, event: FeedEventOf<'permission.request' | 'question.request'>): void {
	const id = event.data.ask_id;
	if (!id) return;
	state.asksOpened += 1;
	state.asks.set(id, {
		requestId: event.cause?.hook_request_id ?? '',
		toolUseId: event.cause?.tool_use_id,
		ask: {
			id,
			sessionId: state.sessionId,
			state: 'pending',
			eventId: event.event_id,
			openedAt: event.ts,
			...subjectOf(event),
		},
	});
}

function subjectOf({ kind, data, actor_id, ts }: FeedEventOf<'permission.request' | 'question.request'>) {
	const expiresAt = data.expires_at ?? ts;
	switch (kind) {
		case 'permission.request': {
			const { tool_name: tool, tool_input: input, risk, requested_by: actorId = actor_id, reason = '' } = data;
			return { kind: 'permission', tool, input, risk, actorId, reason, expiresAt } as const;
		}
		case 'question.request': {
			const { questions } = data;
			const reason = 'the agent asks';
			return {
				kind: 'question',
				tool: QUESTION_TOOL,
				input: { questions },
				risk: 'low',
				actorId: actor_id,
				reason,
				expiresAt,
			} as const;
		}
		default:
			return assertNever(kind);
	}
}
