// The log of a process: one line per event, as text or JSON, with secrets redacted.
import { sanitiseLine } from '@roost/core/display/sanitise';
import { createRedactor } from '@roost/core/redaction/redact';
import { pino } from 'pino';
import { sha256 } from './sha256.ts';

export type LogTarget = { format: 'pretty' | 'json'; write: (text: string) => void };

export type LogLine = { level: 'info' | 'warn' | 'error'; msg: string; [field: string]: unknown };

export type ProcessLog = {
	log(line: LogLine): void;
	/** For secrets that the redactor cannot recognise. */
	hide(secret: string): void;
};

export function createLog({ format, write }: LogTarget, now: () => number): ProcessLog {
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

/** What a login link and a pairing link carry in the fragment. */
const LINK_SECRET = /#(ticket|code)=[\w-]+/g;

function hideInText(text: string, secrets: ReadonlySet<string>): string {
	let shown = text.replaceAll(LINK_SECRET, '#$1=[redacted]');
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
