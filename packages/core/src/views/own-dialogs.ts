// Dialogs that are open in the agent's own terminal and that Roost cannot answer: it was never asked, or its ask has expired.
import type { FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionRow } from '@roost/protocol/session-row';
import { MAX_OPEN_ASKS } from './bounds.ts';
import type { AskOutcome, AskRequest, OpenAsk } from './open-asks.ts';

export type OwnDialogs = {
	/** By call where the agent names it; true where an ask about it has expired. */
	open: Map<string, boolean>;
	/** An ask has expired, and the agent has not reported yet whether its own dialog is open. */
	expired: boolean;
};

/** Agents do not report which call a notice is about. */
const UNNAMED = '';

/** A request without an ask is asked in the agent's terminal alone. */
export function noteRequest(dialogs: OwnDialogs, { data, event_id }: AskRequest): void {
	if (data.own_dialog && data.ask_id === undefined) openDialog(dialogs, data.tool_use_id ?? event_id);
}

/** An open ask of Roost's covers the dialog already. */
export function noteNotice(dialogs: OwnDialogs, { data }: FeedEventOf<'notification'>, openAsks: number): void {
	if (data.own_dialog === false) closeDialogs(dialogs);
	if (data.own_dialog && openAsks + dialogs.open.size === 0) openDialog(dialogs, UNNAMED);
}

export function noteDecision(dialogs: OwnDialogs, { kind, data }: AskOutcome, ask: OpenAsk | undefined): void {
	const isSilence = kind === 'question.answer' || data.decision_type === 'no_opinion';
	if (!ask || data.decided_by !== 'timeout' || !isSilence) return;
	dialogs.expired = true;
	if (ask.ownDialog) openDialog(dialogs, ask.toolUseId ?? ask.eventId);
}

/** A call that is over closes its dialog, and any that could be about it. */
export function noteCallOver(
	dialogs: OwnDialogs,
	{ cause }: FeedEventOf<'tool.post' | 'tool.failure' | 'permission.denied'>,
): void {
	dialogs.open.delete(cause?.tool_use_id ?? UNNAMED);
	dialogs.open.delete(UNNAMED);
	dialogs.expired = false;
}

export function closeDialogs(dialogs: OwnDialogs): void {
	dialogs.open.clear();
	dialogs.expired = false;
}

/** Undefined while an ask of Roost's is open, or no dialog is. */
export function toOwnDialog({ open }: OwnDialogs, openAsks: number): SessionRow['ownDialog'] {
	if (openAsks > 0 || open.size === 0) return undefined;
	return open.values().some((expired) => expired) ? 'expired' : 'open';
}

function openDialog(dialogs: OwnDialogs, key: string): void {
	dialogs.open.set(key, dialogs.expired);
	if (dialogs.open.size > MAX_OPEN_ASKS) dialogs.open.delete(dialogs.open.keys().next().value ?? UNNAMED);
}
