// Small events that belong to each other, such as a call and its result, for the tests of lists.
import type { FeedEvent } from '@roost/protocol/feed/event';
import { eventId } from '@roost/protocol/ids';
import fc from 'fast-check';
import { sampleEvent } from './sample-append.ts';

const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls' } };

export function call(seq: number): FeedEvent {
	return sampleEvent('s', seq, { kind: 'tool.pre', data: TOOL });
}

export function failure(seq: number, parent: number): FeedEvent {
	const cause = { parent_event_id: eventId.parse(`s:R1:E${parent}`) };
	return { ...sampleEvent('s', seq, { kind: 'tool.failure', data: { ...TOOL, error: 'no' } }), cause };
}

export function success(seq: number, parent: number): FeedEvent {
	const cause = { parent_event_id: eventId.parse(`s:R1:E${parent}`) };
	return { ...sampleEvent('s', seq, { kind: 'tool.post', data: { ...TOOL, tool_response: 'ok' } }), cause };
}

export function request(seq: number): FeedEvent {
	return sampleEvent('s', seq, { kind: 'permission.request', data: { ...TOOL, risk: 'low' } });
}

export function decision(seq: number, parent: number): FeedEvent {
	const cause = { parent_event_id: eventId.parse(`s:R1:E${parent}`) };
	const data = { decision_type: 'allow', decided_by: 'rule', rule_id: 'r1' } as const;
	return { ...sampleEvent('s', seq, { kind: 'permission.decision', data }), cause };
}

export function message(seq: number): FeedEvent {
	return sampleEvent('s', seq, { kind: 'agent.message', data: { text: 'words' } });
}

export function announcement(seq: number, call: number): FeedEvent {
	const data = { text: 'words', announces: eventId.parse(`s:R1:E${call}`) };
	return sampleEvent('s', seq, { kind: 'agent.message', data });
}

export function todo(seq: number): FeedEvent {
	return sampleEvent('s', seq, { kind: 'todo.add', data: { todo_id: 't', text: 'do' } });
}

/** Each is made with its number; outcomes belong to events shortly before. */
export const anyEvent: fc.Arbitrary<(seq: number) => FeedEvent> = fc.oneof(
	fc.constantFrom(call, call, request, message, todo, (seq: number) => sampleEvent('s', seq)),
	fc.tuple(fc.nat(8), fc.constantFrom(failure, success, decision, announcement)).map(
		([back, make]) =>
			(seq: number) =>
				make(seq, Math.max(1, seq - back - 1)),
	),
);
