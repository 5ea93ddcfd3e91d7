// Dialogs that are open in the agent's own terminal and that Roost cannot answer: it was never asked, or its ask has expired.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionRow } from '@roost/protocol/session-row';
import { MAX_OPEN_ASKS } from './bounds.ts';
import type { OpenAsk } from './open-asks.ts';

export type OwnDialogs = {
	/** By call where the agent names it; true where an ask about it has expired. */
	open: Map<string, boolean>;
	/** An ask has expired, and the agent has not said yet whether its own dialog asks now. */
	expired: boolean;
};

type Request = FeedEventOf<'permission.request'> | FeedEventOf<'question.request'>;
type Decision = FeedEventOf<'permission.decision'> | FeedEventOf<'question.answer'>;
type CallOver = FeedEventOf<'tool.post'> | FeedEventOf<'tool.failure'> | FeedEventOf<'permission.denied'>;

/** Agents do not say which call a notice is about. */
const UNNAMED = '';

export function createOwnDialogs(): OwnDialogs {
	return { open: new Map(), expired: false };
}

/** Somebody is asked in the agent's terminal alone. */
export function noteRequest(dialogs: OwnDialogs, { data, event_id }: Request): void {
	if (data.own_dialog && data.ask_id === undefined) openDialog(dialogs, data.tool_use_id ?? event_id);
}

/** While Roost asks too, its ask says as much. */
export function noteNotice(dialogs: OwnDialogs, { data }: FeedEventOf<'notification'>, openAsks: number): void {
	if (data.own_dialog === false) closeDialogs(dialogs);
	if (data.own_dialog && openAsks + dialogs.open.size === 0) openDialog(dialogs, UNNAMED);
}

export function noteDecision(dialogs: OwnDialogs, { kind, data }: Decision, ask: OpenAsk | undefined): void {
	const isSilence = kind === 'question.answer' || data.decision_type === 'no_opinion';
	if (!ask || data.decided_by !== 'timeout' || !isSilence) return;
	dialogs.expired = true;
	if (ask.ownDialog) openDialog(dialogs, ask.toolUseId ?? ask.eventId);
}

/** A call that is over closes its dialog, and any that could be about it. */
export function noteCallOver(dialogs: OwnDialogs, { cause }: CallOver): void {
	dialogs.open.delete(cause?.tool_use_id ?? UNNAMED);
	dialogs.open.delete(UNNAMED);
	dialogs.expired = false;
}

export function closeDialogs(dialogs: OwnDialogs): void {
	dialogs.open.clear();
	dialogs.expired = false;
}

/** Undefined while Roost itself asks, or nobody does. */
export function toOwnDialog({ open }: OwnDialogs, openAsks: number): SessionRow['ownDialog'] {
	if (openAsks > 0 || open.size === 0) return undefined;
	return open.values().some((expired) => expired) ? 'expired' : 'open';
}

function openDialog(dialogs: OwnDialogs, key: string): void {
	dialogs.open.set(key, dialogs.expired);
	if (dialogs.open.size > MAX_OPEN_ASKS) dialogs.open.delete(dialogs.open.keys().next().value ?? UNNAMED);
}
