// What the log says of sessions and asks: that they are, by their ids, and nothing of what is in them.
import type { Log } from '@roost/gateway/http/log';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedData } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Update } from '../engine/live-session.ts';

export function logUpdate(log: Log, { sessionId, events, asks }: Pick<Update, 'sessionId' | 'events' | 'asks'>): void {
	for (const event of events) {
		const { kind } = event;
		if (kind === 'runtime.status') logStatus(log, sessionId, event.data);
		if (kind === 'session.start') log({ level: 'info', msg: 'a session started', session: sessionId });
		if (kind === 'session.end') log({ level: 'info', msg: 'a session ended', session: sessionId });
	}
	for (const ask of asks) logAsk(log, ask);
}

/** A disk that fails is said once for each session, and when it is back. */
function logStatus(log: Log, session: SessionId, { status, reason }: FeedData<'runtime.status'>): void {
	if (status === 'degraded') log({ level: 'warn', msg: 'the record cannot be written', session, reason });
	if (status === 'connected') log({ level: 'info', msg: reason ?? status, session });
}

function logAsk(log: Log, { id, state, tool, risk, decidedBy }: AskRow): void {
	if (state === 'pending') log({ level: 'info', msg: 'an ask waits', ask: id, tool, risk });
	else log({ level: 'info', msg: `an ask is ${state}`, ask: id, by: decidedBy ?? 'nobody' });
}
