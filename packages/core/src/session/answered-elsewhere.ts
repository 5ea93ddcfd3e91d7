// An ask can be answered in the agent's own dialog: its call then goes on, or is closed, without us.
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { RuntimeDecision } from '../runtime/decision.ts';
import type { RuntimeEvent } from '../runtime/event.ts';
import type { OpenAsk } from './state.ts';

/** The open asks that these events prove to be over, and what they prove. */
export function answeredElsewhere(
	asks: Iterable<OpenAsk>,
	report: RuntimeEvent,
	events: readonly FeedEvent[],
): { open: OpenAsk; decision: RuntimeDecision }[] {
	const ended = events.some((event) => event.kind === 'run.end' || event.kind === 'session.end');
	return [...asks].flatMap((open) => {
		const decision = proofOf(open, report, events) ?? (ended ? ABANDONED : null);
		return decision ? [{ open, decision }] : [];
	});
}

function proofOf(open: OpenAsk, report: RuntimeEvent, events: readonly FeedEvent[]): RuntimeDecision | null {
	if (!open.toolUseId) return null;
	for (const event of events) {
		if (event.cause?.tool_use_id !== open.toolUseId) continue;
		if (event.kind === 'tool.post') return ALLOWED;
		// A failure that its own hook reports comes from a call that ran; one that only the batch shows was refused.
		if (event.kind === 'tool.failure') return report.hookName === 'PostToolUseFailure' ? ALLOWED : REFUSED;
		if (event.kind === 'permission.denied') return REFUSED;
	}
	return null;
}

const ALLOWED: RuntimeDecision = {
	type: 'json',
	source: 'terminal',
	reason: 'answered in the terminal',
	intent: { kind: 'permission_allow' },
};

const REFUSED: RuntimeDecision = {
	type: 'json',
	source: 'terminal',
	reason: 'answered in the terminal',
	intent: { kind: 'permission_deny', reason: 'refused in the terminal' },
};

const ABANDONED: RuntimeDecision = { type: 'passthrough', source: 'system', reason: 'the run ended while this waited' };
