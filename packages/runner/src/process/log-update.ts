// What the runner logs of its sessions: only IDs and states of sessions and asks, never their content.
import type { Log } from '@roost/gateway/http/log';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedData } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import type { Update } from '../engine/live-session.ts';

export function logUpdate(log: Log, { sessionId, events, asks }: Pick<Update, 'sessionId' | 'events' | 'asks'>): void {
	for (const event of events) {
		const { kind } = event;
		if (kind === 'runtime.status') logStatus(log, sessionId, event.data);
		if (kind === 'session.start') log({ level: 'info', msg: 'session started', session: sessionId });
		if (kind === 'session.end') log({ level: 'info', msg: 'session ended', session: sessionId });
	}
	for (const ask of asks) logAsk(log, ask);
}

/** Once per session, and when the disk works again. */
function logStatus(log: Log, session: SessionId, { status, reason }: FeedData<'runtime.status'>): void {
	if (status === 'degraded') log({ level: 'warn', msg: 'the record cannot be written', session, reason });
	if (status === 'connected') log({ level: 'info', msg: reason ?? status, session });
}

function logAsk(log: Log, { id, state, tool, risk, decidedBy }: AskRow): void {
	if (state === 'pending') log({ level: 'info', msg: 'request pending', ask: id, tool, risk });
	else log({ level: 'info', msg: `request ${state}`, ask: id, by: decidedBy ?? 'none' });
}
