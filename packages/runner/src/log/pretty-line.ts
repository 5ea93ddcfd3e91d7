// A log line for people: time, level where it matters, the sentence, and what goes with it. Always one line.
import { sanitiseLine } from '@roost/core/display/sanitise';
import type { LogLine } from './create-log.ts';

export function toPrettyLine({ level, msg, ...fields }: LogLine, at: number): string {
	const named = Object.entries(fields).map(([name, value]) => `${sanitiseLine(name)}=${toWord(value)}`);
	return [toTime(at), ...(level === 'info' ? [] : [level]), sanitiseLine(msg), ...named].join('  ');
}

function toTime(at: number): string {
	return new Date(at).toTimeString().slice(0, 8);
}

function toWord(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
	return sanitiseLine(text);
}
