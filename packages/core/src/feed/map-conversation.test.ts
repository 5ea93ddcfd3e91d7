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

describe('a message that is shown piece by piece', () => {
	it('is transient until it is finished, and then recorded whole', () => {
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

	it('keeps the id that the agent has for it, which a fork may end with', () => {
		const session = scriptSession();
		const [, told] = session.report('MessageDisplay', { ...piece(0, 'one', true), native_id: 'n1' });
		expect(told).toMatchObject({ kind: 'agent.message', data: { native_id: 'n1' } });
	});

	it('names the first call that it announces, where that is reported before it', () => {
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

	it('announces no call that is over, where the agent does not report batches', () => {
		const session = scriptSession();
		const call = { tool_name: 'Read', tool_input: {}, tool_use_id: 'a' };
		const { turn_id: _, ...shown } = piece(0, 'Done.', true);
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('PreToolUse', call);
		session.report('PostToolUse', { ...call, tool_response: 'x' });
		expect(session.report('MessageDisplay', shown)[1]?.data).not.toHaveProperty('announces', expect.anything());
	});

	it('takes no seq while it is transient, and has an id of its own', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('MessageDisplay', piece(0, 'one\n'));
		session.report('MessageDisplay', piece(1, 'two\n'));
		session.report('MessageDisplay', piece(2, 'three', true));
		const ids = session.feed.map((event) => event.event_id.replace('s1:R1:', ''));
		expect(ids).toEqual(['E1', 'E2', 'E2.1', 'E2.2', 'E3', 'E4']);
	});

	it('is put in order when its pieces overtake each other', () => {
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

	it('does not mix with another one', () => {
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

	it('may repeat an earlier one', () => {
		const session = scriptSession();
		session.report('MessageDisplay', piece(0, 'Done.', true, 'a'));
		session.report('MessageDisplay', piece(0, 'Done.', true, 'b'));
		expect(messages(session.feed)).toEqual(['Done.', 'Done.']);
	});

	it('leaves nothing behind when it was broken off', () => {
		const session = scriptSession();
		session.report('UserPromptSubmit', { prompt: 'go' });
		session.report('MessageDisplay', piece(0, 'half'));
		session.report('UserPromptSubmit', { prompt: 'again' });
		expect(session.state.messages.pieces.size).toBe(0);
	});
});
