import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { plainLook, toText } from '@roost/testkit/rigs/plain-look';
import { describe, expect, it } from 'vitest';
import { duration, type EntryStyle, entryRows, MOST_ROWS } from './entry-rows.ts';
import type { FeedEntry } from './feed-list.ts';

const LOOK = plainLook();
const STYLE: EntryStyle = { open: true, width: 60, look: LOOK, depth: 0 };

describe('an entry', () => {
	it('shows no more than so many rows, and says how many there are', () => {
		const rows = entryRows(bash(lines(151)), STYLE, false);
		expect(rows).toHaveLength(1 + MOST_ROWS + 1);
		expect(toText(rows.slice(-1), 60, LOOK).trim()).toBe('… 122 more lines: press o');
	});

	it('does not hide a single row behind a sign that takes one itself', () => {
		const rows = entryRows(bash(lines(MOST_ROWS)), STYLE, false);
		expect(toText(rows, 60, LOOK)).toContain(`line ${MOST_ROWS}`);
	});

	it('gives up counting where the number says nothing any more', () => {
		const rows = entryRows(bash('word '.repeat(250_000)), STYLE, false);
		expect(toText(rows.slice(-1), 60, LOOK).trim()).toBe('… at least 1000 more lines: press o');
	});

	it('is drawn once, and its body not again when it is selected', () => {
		const entry = bash(lines(9));
		const plain = entryRows(entry, STYLE, false);
		const selected = entryRows(entry, STYLE, true);
		expect(entryRows(entry, { ...STYLE }, false)).toBe(plain);
		expect(entryRows(entry, { ...STYLE }, true)).toBe(selected);
		expect(selected[3]).toBe(plain[3]);
		expect(selected[0]?.every(({ over }) => over === 'selected')).toBe(true);
	});

	it('is drawn anew when its result comes', () => {
		const entry: FeedEntry = { event: event('tool.pre', CALL, 0) };
		const before = toText(entryRows(entry, STYLE, false), 60, LOOK);
		entry.result = bash('done').result;
		expect(before).not.toContain('done');
		expect(toText(entryRows(entry, STYLE, false), 60, LOOK)).toContain('done');
	});

	it('stands under whoever started its actor, whose name is told where it changes', () => {
		const entry: FeedEntry = { event: event('agent.message', { text: 'one\ntwo' }, 0) };
		const text = (style: Partial<EntryStyle>) =>
			toText(entryRows({ ...entry }, { ...STYLE, ...style }, false), 60, LOOK).replaceAll(/^.{9}/gm, '');
		expect(text({ depth: 1, name: 'Explore a1' })).toBe('│ ▾ ◆ Explore a1 one\n      one\n      two');
		expect(text({ depth: 2 })).toBe('│ │ ▾ ◆ one\n        two');
	});

	it('is one line while it is closed', () => {
		expect(entryRows(bash(lines(50)), { ...STYLE, open: false }, false)).toHaveLength(1);
	});
});

describe('a duration', () => {
	it.each([
		[-5, '0ms'],
		[999, '999ms'],
		[2_500, '2.5s'],
		[125_000, '2m05s'],
	])('of %d ms is %s', (ms, words) => {
		expect(duration(ms)).toBe(words);
	});
});

const CALL = { tool_name: 'Bash', tool_input: { command: 'make' } };

function bash(stdout: string): FeedEntry {
	const result = event('tool.post', { ...CALL, tool_response: { stdout, stderr: '' } }, 40);
	if (result.kind !== 'tool.post') throw new Error('not a result');
	return { event: event('tool.pre', CALL, 0), result };
}

function lines(count: number): string {
	return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
}

function event(kind: string, data: object, ts: number): FeedEvent {
	const base = { seq: 1, session_id: 's', run_id: 's:R1', level: 'info', actor_id: 'agent:root', title: kind };
	return feedEvent.parse({ ...base, event_id: `s:R1:${kind}`, ts, kind, data });
}
