import { describe, expect, it } from 'vitest';
import { createLog, type LogLine, type LogTarget } from './create-log.ts';

const AT = new Date(2026, 10, 15, 9, 30, 5).getTime();
/** Without a recognisable format, like the secrets that Roost creates. */
const TOKEN = 'vQ8kPz0mT3sXcW1uYb7nLr5eHd9jGf2aKo6iRt4wEyU';
const TICKET = 'KjvOyRXCYSyh0EHIcwqEKq1-7XbIkojYvb5MeL91egg';
const API_KEY = `sk-ant-api03-${'a1B2'.repeat(24)}AA`;

describe('pretty log', () => {
	it('is one line with the time, a level above info, the message and the fields', () => {
		expect(pretty({ level: 'info', msg: 'request pending', ask: 's1.1', risk: 'low' })).toBe(
			'09:30:05  request pending  ask=s1.1  risk=low\n',
		);
		expect(pretty({ level: 'warn', msg: 'refused a request', status: 403, more: { a: [1] } })).toBe(
			'09:30:05  warn  refused a request  status=403  more={"a":[1]}\n',
		);
	});

	it('stays one line without control characters, for any content', () => {
		const hostile = 'a\nb\r\u001b[2J\u0007\u202Ec\u009b';
		const line = pretty({ level: 'error', msg: hostile, [hostile]: hostile, deep: { hostile } });
		expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u202e]/u);
		expect(line.match(/a\\nb\\r\\x1b\[2J\\x07\\u\{202e\}c\\x9b/g)).toHaveLength(3);
	});
});

describe('JSON log', () => {
	it('is one object per line with the time, level, message and fields', () => {
		const line = json({ level: 'warn', msg: 'refused\na request', status: 403 });
		expect(line.match(/\n/g)).toHaveLength(1);
		expect(JSON.parse(line)).toEqual({
			level: 'warn',
			time: new Date(AT).toISOString(),
			pid: process.pid,
			msg: 'refused\na request',
			status: 403,
		});
	});
});

describe.each(['pretty', 'json'] as const)('%s log', (format) => {
	it.each<[string, LogLine]>([
		['the message', { level: 'info', msg: `with ${TOKEN} and /#ticket=${TICKET} and ${API_KEY}` }],
		['a pairing link', { level: 'info', msg: `open https://hub.example.com/join#code=${TICKET}&key=shown` }],
		[
			'a field',
			{ level: 'info', msg: 'x', url: `http://127.0.0.1:3100/#ticket=${TICKET}`, error: `Bearer ${TOKEN}`, key: API_KEY },
		],
		['a list inside a field', { level: 'info', msg: 'x', list: [{ deep: [TOKEN, `/#ticket=${TICKET}`, API_KEY] }] }],
		['a field with the name of a secret', { level: 'info', msg: 'x', token: TICKET, secret: TICKET, hooks: { secret: TICKET } }],
	])('keeps secrets out of %s', (_where, line) => {
		const written = record({ format }, line);
		expect(written).not.toBe('');
		for (const secret of [TOKEN, TICKET, API_KEY]) expect.soft(written).not.toContain(secret);
	});

	it('does not redact other values', () => {
		expect(record({ format }, { level: 'info', msg: 'session started', session: 'k3f9' })).toContain('k3f9');
	});
});

const pretty = (line: LogLine) => record({ format: 'pretty' }, line);
const json = (line: LogLine) => record({ format: 'json' }, line);

function record(target: Pick<LogTarget, 'format'>, line: LogLine): string {
	let written = '';
	const { log, hide } = createLog(
		{
			...target,
			write: (text) => {
				written += text;
			},
		},
		() => AT,
	);
	hide(TOKEN);
	log(line);
	return written;
}
