import type { FeedEntry } from '@roost/core/views/feed-list';
import { type FeedEvent, feedEvent } from '@roost/protocol/feed/event';
import { plainStyles, toText } from '@roost/testkit/rigs/tui/plain-styles';
import { describe, expect, it } from 'vitest';
import { duration, type EntryStyle, entryRows, isOpen, MOST_ROWS } from './feed-rows.ts';

const STYLES = plainStyles();
const STYLE: EntryStyle = { open: true, width: 60, styles: STYLES, depth: 0 };

describe('feed entry', () => {
	it('limits its rows and shows the number of hidden ones', () => {
		const rows = entryRows(bash(lines(151)), STYLE, false);
		expect(rows).toHaveLength(1 + MOST_ROWS + 1);
		expect(toText(rows.slice(-1), 60, STYLES).trim()).toBe('… 122 more lines: press o');
	});

	it('does not replace rows that just fit with a count of hidden ones', () => {
		const rows = entryRows(bash(lines(MOST_ROWS)), STYLE, false);
		expect(toText(rows, 60, STYLES)).toContain(`line ${MOST_ROWS}`);
	});

	it('stops counting hidden rows at 1000', () => {
		const rows = entryRows(bash('word '.repeat(250_000)), STYLE, false);
		expect(toText(rows.slice(-1), 60, STYLES).trim()).toBe('… at least 1000 more lines: press o');
	});

	it('caches its rows and reuses its body when selected', () => {
		const entry = bash(lines(9));
		const plain = entryRows(entry, STYLE, false);
		const selected = entryRows(entry, STYLE, true);
		expect(entryRows(entry, { ...STYLE }, false)).toBe(plain);
		expect(entryRows(entry, { ...STYLE }, true)).toBe(selected);
		expect(selected[3]).toBe(plain[3]);
		expect(selected[0]?.every(({ over }) => over === 'selected')).toBe(true);
	});

	it('is redrawn when its result arrives', () => {
		const entry: FeedEntry = { event: event('tool.pre', CALL, 0) };
		const before = toText(entryRows(entry, STYLE, false), 60, STYLES);
		entry.result = bash('done').result;
		expect(before).not.toContain('done');
		expect(toText(entryRows(entry, STYLE, false), 60, STYLES)).toContain('done');
	});

	it('is indented by the depth of its actor and starts with the actor name, if any', () => {
		const entry: FeedEntry = { event: event('agent.message', { text: 'one\ntwo' }, 0) };
		const text = (style: Partial<EntryStyle>) =>
			toText(entryRows({ ...entry }, { ...STYLE, ...style }, false), 60, STYLES).replaceAll(/^.{9}/gm, '');
		expect(text({ depth: 1, name: 'Explore a1' })).toBe('│ ▾ ◆ Explore a1 one\n      one\n      two');
		expect(text({ depth: 2 })).toBe('│ │ ▾ ◆ one\n        two');
	});

	it('is one line while collapsed', () => {
		expect(entryRows(bash(lines(50)), { ...STYLE, open: false }, false)).toHaveLength(1);
	});
});

describe('permission request', () => {
	it('is one line with outcome, user and waiting time; expanded, it shows decision and request', () => {
		const entry = decided({ decision_type: 'deny', decided_by: 'user', principal: 'lea@tui', message: 'No.' });
		expect(isOpen(entry, new Map())).toBe(false);
		expect(text(entry, false)).toBe('▸ ✗ Denied: Bash make  by lea@tui  No.         4.0s');
		const opened = text(entry, true);
		expect(opened).toMatch(/\n +Denied {2}by lea@tui\n +No\.\n +\$ make\n +risk: high\n +asked because: no rule matched/);
	});

	it('is faint when a rule allowed it', () => {
		const entry = decided({ decision_type: 'allow', decided_by: 'rule', rule_id: 'r1' });
		expect(text(entry, false).trimEnd()).toBe('▸ ✓ Allowed: Bash make  by rule r1');
		const [line] = entryRows(entry, { ...STYLE, open: false }, false);
		expect(line?.find(({ text }) => text.startsWith('Allowed'))?.tone).toBe('faint');
	});

	it('is expanded while undecided', () => {
		const entry: FeedEntry = { event: request() };
		expect(isOpen(entry, new Map())).toBe(true);
		expect(text(entry, false)).toContain('⚠ Permission: Bash make');
	});
});

describe('call denied by a rule', () => {
	it('shows the decision instead of repeating it as an error', () => {
		const message = 'Denied by rule r1 (Bash make)';
		const error = `hook error: ${message}`;
		const deny = decided({ decision_type: 'deny', decided_by: 'rule', rule_id: 'r1', message }).decision;
		const entry: FeedEntry = { event: event('tool.pre', CALL, 0), decision: deny };
		expect(text(entry, false)).toContain('✗ Bash make  Denied by rule r1 (Bash make)');
		const failure = event('tool.failure', { ...CALL, error }, 9);
		if (failure.kind === 'tool.failure') entry.result = failure;
		expect(text(entry, false)).toContain('✗ Bash make  Denied by rule r1 (Bash make)');
		expect(text(entry, false)).not.toContain('hook error');
		expect(text(entry, true)).toContain('hook error');
		expect(isOpen(entry, new Map())).toBe(false);
	});
});

describe('duration', () => {
	it.each([
		[-5, '0ms'],
		[999, '999ms'],
		[2_500, '2.5s'],
		[125_000, '2m05s'],
	])('formats %d ms as %s', (ms, words) => {
		expect(duration(ms)).toBe(words);
	});
});

const CALL = { tool_name: 'Bash', tool_input: { command: 'make' } };

function bash(stdout: string): FeedEntry {
	const result = event('tool.post', { ...CALL, tool_response: { stdout, stderr: '' } }, 40);
	if (result.kind !== 'tool.post') throw new Error('not a result');
	return { event: event('tool.pre', CALL, 0), result };
}

function request(): FeedEvent {
	return event('permission.request', { ...CALL, risk: 'high', reason: 'no rule matched' }, 0);
}

function decided(data: object): FeedEntry {
	const decision = event('permission.decision', data, 4_000);
	if (decision.kind !== 'permission.decision') throw new Error('not a decision');
	return { event: request(), decision };
}

/** Without the time. */
function text(entry: FeedEntry, open: boolean): string {
	return toText(entryRows({ ...entry }, { ...STYLE, open }, false), 60, STYLES).slice(9);
}

function lines(count: number): string {
	return Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
}

function event(kind: string, data: object, ts: number): FeedEvent {
	const base = { seq: 1, session_id: 's', run_id: 's:R1', level: 'info', actor_id: 'agent:root', title: kind };
	return feedEvent.parse({ ...base, event_id: `s:R1:${kind}`, ts, kind, data });
}
