// What the log says of sessions and asks: that they are, by their ids, and nothing of what is in them.
import type { Log } from '@roost/gateway/log';
import type { AskRow } from '@roost/protocol/ask';
import type { Told } from '../engine/live-session.ts';

export function logTold(log: Log, { sessionId, events, asks }: Pick<Told, 'sessionId' | 'events' | 'asks'>): void {
	for (const { kind } of events) {
		if (kind === 'session.start') log({ level: 'info', msg: 'a session started', session: sessionId });
		if (kind === 'session.end') log({ level: 'info', msg: 'a session ended', session: sessionId });
	}
	for (const ask of asks) logAsk(log, ask);
}

function logAsk(log: Log, { id, state, tool, risk, decidedBy }: AskRow): void {
	if (state === 'pending') log({ level: 'info', msg: 'an ask waits', ask: id, tool, risk });
	else log({ level: 'info', msg: `an ask is ${state}`, ask: id, by: decidedBy ?? 'nobody' });
}
