// The runner's log: one line per event, as text or JSON, with secrets redacted.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { createRedactor } from '@roost/core/redaction/redact';
import type { Log } from '@roost/gateway/http/log';
import { sha256 } from '@roost/machine/sha256';
import type { AskRow } from '@roost/protocol/ask';
import type { FeedData } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { pino } from 'pino';
import type { Update } from '../engine/live-session.ts';

export type LogTarget = { format: 'pretty' | 'json'; write: (text: string) => void };

export type RunnerLog = {
	readonly log: Log;
	/** For secrets that the redactor cannot recognise. */
	hide(secret: string): void;
};

export type LogLine = Parameters<Log>[0];

export function createLog({ format, write }: LogTarget, now: () => number): RunnerLog {
	const hidden = new Set<string>();
	const redactor = createRedactor(sha256);
	const writeLine = format === 'json' ? createJsonWriter(write, now) : (line: LogLine) => write(`${toPrettyLine(line, now())}\n`);
	return {
		log: (line) => writeLine(hideAll(redactor.redact(line).value, hidden)),
		hide: (secret) => void hidden.add(secret),
	};
}

function createJsonWriter(write: LogTarget['write'], now: () => number): (line: LogLine) => void {
	const logger = pino(
		{
			base: { pid: process.pid },
			timestamp: () => `,"time":${JSON.stringify(new Date(now()).toISOString())}`,
			formatters: { level: (level) => ({ level }) },
		},
		{ write },
	);
	return ({ level, msg, ...fields }) => logger[level](fields, msg);
}

function hideAll(line: LogLine, secrets: ReadonlySet<string>): LogLine {
	const fields = Object.entries(line).map(([key, value]) => [key, hideIn(value, secrets)]);
	return { ...Object.fromEntries(fields), level: line.level, msg: hideInText(line.msg, secrets) };
}

function hideIn(value: unknown, secrets: ReadonlySet<string>): unknown {
	if (typeof value === 'string') return hideInText(value, secrets);
	if (Array.isArray(value)) return value.map((item) => hideIn(item, secrets));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideIn(item, secrets)]));
}

const LINK_TICKET = /#ticket=[\w-]+/g;

function hideInText(text: string, secrets: ReadonlySet<string>): string {
	let shown = text.replaceAll(LINK_TICKET, '#ticket=[redacted]');
	for (const secret of secrets) shown = shown.replaceAll(secret, '[redacted]');
	return shown;
}

/** Time, level unless it is info, message and fields. Always one line. */
function toPrettyLine({ level, msg, ...fields }: LogLine, at: number): string {
	const named = Object.entries(fields).map(([name, value]) => `${sanitiseLine(name)}=${toWord(value)}`);
	const time = new Date(at).toTimeString().slice(0, 8);
	return [time, ...(level === 'info' ? [] : [level]), sanitiseLine(msg), ...named].join('  ');
}

function toWord(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
	return sanitiseLine(text);
}

/** Logs only IDs and states of sessions and asks, never their content. */
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
