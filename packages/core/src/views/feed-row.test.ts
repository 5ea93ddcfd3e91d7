import { feedRow, LONGEST_ROW_TEXT } from '@roost/protocol/api/feed-rows';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { askId, eventId } from '@roost/protocol/ids';
import { everyEvent } from '@roost/testkit/rigs/record/every-event';
import { announcement, decision, failure, message, request, success } from '@roost/testkit/rigs/record/linked-events';
import { type EventContent, sampleEvent } from '@roost/testkit/rigs/record/sample-append';
import { describe, expect, it } from 'vitest';
import { byteLength } from '../display/byte-length.ts';
import { hasRow, toFeedRow } from './feed-row.ts';

describe('row of an event', () => {
	it('is the same over the wire, for every kind', () => {
		const events = everyEvent('a text');
		for (const event of events) expect(overTheWire(rowOf(event))).toStrictEqual(rowOf(event));
		expect(events.length).toBeGreaterThan(200);
	});

	it('has the title, the actor and the place of its event, but not its data', () => {
		expect(rowOf(failure(3, 1))).toStrictEqual({
			offset: 7,
			event_id: 's:R1:E3',
			kind: 'tool.failure',
			ts: 1_700_000_000_003,
			run_id: 's:R1',
			actor_id: 'agent:root',
			level: 'info',
			title: 'Bash failed: no',
			size: 99,
			parent: 's:R1:E1',
			tool: 'Bash',
		});
	});

	it('has the text of prompts and messages, cut between characters', () => {
		expect(rowOf(message(1))).toMatchObject({ text: 'words' });
		expect(rowOf(message(1))).not.toHaveProperty('isCut');
		const long = `${'x'.repeat(LONGEST_ROW_TEXT - 1)}😀`;
		const row = rowOf(made({ kind: 'user.prompt', data: { prompt: long, cwd: '/' } }));
		expect(row).toMatchObject({ text: 'x'.repeat(LONGEST_ROW_TEXT - 1), isCut: true });
		expect(rowOf(announcement(2, 1))).toMatchObject({ announces: 's:R1:E1' });
	});

	it('counts the changed lines of an edit, in its result as the agent reports them', () => {
		const call = { tool_name: 'Edit', tool_input: { file_path: 'a', old_string: 'one\ntwo', new_string: 'one\n2\n3' } };
		expect(rowOf(made({ kind: 'tool.pre', data: call })).change).toEqual({ added: 2, removed: 1 });
		const tool_response = { structuredPatch: [{ oldStart: 1, newStart: 1, lines: ['-two', '+2', '+3', '+4'] }] };
		const result = rowOf(made({ kind: 'tool.post', data: { ...call, tool_response, duration_ms: 12 } }));
		expect(result).toMatchObject({ change: { added: 3, removed: 1 }, duration_ms: 12 });
		expect(rowOf(success(2, 1))).not.toHaveProperty('change');
	});

	it('shows who decided and why', () => {
		expect(rowOf(decision(3, 2)).decision).toEqual({ type: 'allow', by: 'rule', rule_id: 'r1' });
		const denied = { decision_type: 'deny', message: 'not here', decided_by: 'user', principal: 'lea@web' } as const;
		expect(rowOf(made({ kind: 'permission.decision', data: denied })).decision).toEqual({
			type: 'deny',
			by: 'user',
			principal: 'lea@web',
			reason: 'not here',
		});
		const answered = { answers: { Which: 'this' }, decided_by: 'user' } as const;
		expect(rowOf(made({ kind: 'question.answer', data: answered })).decision).toEqual({ type: 'answer', by: 'user' });
	});

	it('names the ask of a request, and its risk', () => {
		const asked = request(2);
		const opened = asked.kind === 'permission.request' ? { ...asked, data: { ...asked.data, ask_id: askId.parse('a1') } } : asked;
		expect(rowOf(opened)).toMatchObject({ tool: 'Bash', risk: 'low', ask_id: 'a1' });
	});

	it('exists for events that a list shows, and for results that it joins to calls', () => {
		const usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
		expect(hasRow(success(2, 1))).toBe(true);
		expect(hasRow(message(1))).toBe(true);
		expect(hasRow(made({ kind: 'usage.update', data: { total: usage, by_model: {} } }))).toBe(false);
		expect(hasRow(made({ kind: 'todo.add', data: { todo_id: 't', text: 'do' } }))).toBe(false);
	});
});

describe('length in bytes', () => {
	it('is that of UTF-8', () => {
		for (const text of ['', 'abc', 'é', '漢字', 'a😀b', 'ß\n\u07ff\u0800'])
			expect(byteLength(text)).toBe(Buffer.byteLength(text));
	});
});

function made(content: EventContent): FeedEvent {
	return { ...sampleEvent('s', 9, content), cause: { parent_event_id: eventId.parse('s:R1:E8') } };
}

function rowOf(event: FeedEvent) {
	return toFeedRow({ offset: 7, event }, 99);
}

function overTheWire(row: object) {
	return feedRow.parse(JSON.parse(JSON.stringify(row)));
}
