import type { FeedEvent } from '@roost/protocol/feed/event';
import { describe, expect, it } from 'vitest';
import { kindsOf, scriptSession } from './feed.contract.ts';
import { isTransient } from './filter.ts';

const piece = (index: number, delta: string, final = false, message_id = 'm1') => ({
	index,
	delta,
	final,
	message_id,
	turn_id: 't',
});
const messages = (feed: FeedEvent[]) => feed.flatMap((event) => (event.kind === 'agent.message' ? [event.data.text] : []));

describe('streamed message', () => {
	it('is transient until it is finished, and is then recorded as a whole', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		const pieces = [
			...session.report('MessageDisplay', piece(0, 'one\n')),
			...session.report('MessageDisplay', piece(1, 'two\n')),
		];
		expect(pieces.every(isTransient)).toBe(true);
		const final = session.report('MessageDisplay', piece(2, 'three', true));
		expect(kindsOf(final)).toEqual(['message.display', 'agent.message']);
		expect(final.some(isTransient)).toBe(false);
		expect(final[1]).toMatchObject({ actor_id: 'agent:root', data: { text: 'one\ntwo\nthree', message_id: 'm1' } });
	});

	it('keeps its native id', () => {
		const session = scriptSession();
		const [, reported] = session.report('MessageDisplay', { ...piece(0, 'one', true), native_id: 'n1' });
		expect(reported).toMatchObject({ kind: 'agent.message', data: { native_id: 'n1' } });
	});

	it('names the first call it announces if that call is reported before it', () => {
		const session = scriptSession();
		const announced = () => session.feed.flatMap((event) => (event.kind === 'agent.message' ? [event.data.announces] : []));
		const use = (id: string) => ({ tool_name: 'Read', tool_input: { file_path: id }, tool_use_id: id });
		session.report('UserPromptSubmit', { prompt: 'go' });
		const [first] = session.report('PreToolUse', use('a'));
		session.report('PreToolUse', use('b'));
		session.report('PostToolUse', { ...use('a'), tool_response: 'x' });
		session.report('PostToolUse', { ...use('b'), tool_response: 'x' });
		session.report('MessageDisplay', piece(0, 'I read both.', true, 'm1'));
		session.report('PostToolBatch', { tool_calls: [] });
		session.report('MessageDisplay', piece(0, 'I have read them.', true, 'm2'));
		expect(announced()).toEqual([first?.event_id, undefined]);
	});

	it('announces no finished call if the agent does not report batches', () => {
		const session = scriptSession();
		const call = { tool_name: 'Read', tool_input: {}, tool_use_id: 'a' };
		const { turn_id: _, ...shown } = piece(0, 'Done.', true);
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('PreToolUse', call);
		session.report('PostToolUse', { ...call, tool_response: 'x' });
		expect(session.report('MessageDisplay', shown)[1]?.data).not.toHaveProperty('announces', expect.anything());
	});

	it('uses no seq while it is transient, and has a separate id', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('MessageDisplay', piece(0, 'one\n'));
		session.report('MessageDisplay', piece(1, 'two\n'));
		session.report('MessageDisplay', piece(2, 'three', true));
		const ids = session.feed.map((event) => event.event_id.replace('s1:R1:', ''));
		expect(ids).toEqual(['E1', 'E2', 'E2.1', 'E2.2', 'E3', 'E4']);
	});

	it('is assembled in order if its pieces arrive out of order', () => {
		const session = scriptSession();
		session.report('MessageDisplay', piece(1, 'two\n'));
		session.report('MessageDisplay', piece(0, 'one\n'));
		session.report('MessageDisplay', piece(2, 'three', true));
		expect(messages(session.feed)).toEqual(['one\ntwo\nthree']);
	});

	it('starts with an ellipsis when its beginning is missing', () => {
		const session = scriptSession();
		session.report('MessageDisplay', piece(4, 'the end', true));
		expect(messages(session.feed)).toEqual(['…the end']);
	});

	it('is not mixed with a concurrent message', () => {
		const session = scriptSession();
		session.report('MessageDisplay', piece(0, 'a1 ', false, 'a'));
		session.report('MessageDisplay', piece(0, 'b1 ', false, 'b'), { agentId: 'x' });
		session.report('MessageDisplay', piece(1, 'b2', true, 'b'), { agentId: 'x' });
		session.report('MessageDisplay', piece(1, 'a2', true, 'a'));
		expect(messages(session.feed)).toEqual(['b1 b2', 'a1 a2']);
	});

	it('is not recorded when it is empty', () => {
		expect(kindsOf(scriptSession().report('MessageDisplay', piece(0, '\n', true)))).toEqual(['message.display']);
	});

	it('is recorded again if it repeats an earlier one', () => {
		const session = scriptSession();
		session.report('MessageDisplay', piece(0, 'Done.', true, 'a'));
		session.report('MessageDisplay', piece(0, 'Done.', true, 'b'));
		expect(messages(session.feed)).toEqual(['Done.', 'Done.']);
	});

	it('is discarded if it is never finished', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('MessageDisplay', piece(0, 'half'));
		session.report('UserPromptSubmit', { prompt: 'again' });
		expect(session.state.messages.pieces.size).toBe(0);
	});
});
